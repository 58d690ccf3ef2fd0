import { beforeEach, describe, expect, it } from 'vitest';
import { plainGeneration } from '../../../../test/support/callers/image-requests.ts';
import type { ImageRequest } from '../../../images/image-request.ts';
import { AnswersUnderWay } from './answers-under-way.ts';

const mebibyte = 1_048_576;

describe('answers under way', () => {
  let answers: AnswersUnderWay;
  beforeEach(() => {
    // A picture of unknown size is expected to take 1 MiB as long as none was seen.
    answers = new AnswersUnderWay(3 * mebibyte);
  });

  const enter = (changes: Partial<ImageRequest> = {}) =>
    answers.enter('painter', { ...plainGeneration, ...changes });

  /** How many more find room, after which there is none. */
  function countRoom(): number {
    let count = 0;
    while (enter()) count++;
    return count;
  }

  it('are as many as are expected to find room', () => {
    expect(countRoom()).toBe(3);
  });

  it('make room when they end', () => {
    const place = enter();
    expect(countRoom()).toBe(2);
    place?.leave([]);
    expect(countRoom()).toBe(1);
  });

  it('count each picture, the partial image that is on its way, and the pixels of a known size', () => {
    expect(enter({ n: 2 })).not.toBeNull();
    expect(enter({ n: 2 })).toBeNull();
    expect(enter({ partialImages: 3, stream: true })).toBeNull();
    expect(enter({ size: '1536x1024' })).toBeNull();
    expect(enter({ size: '1024x1024' })).not.toBeNull();
  });

  it('are expected to be as large as the last ones of their model', () => {
    enter()?.leave([3 * mebibyte]);
    expect(countRoom()).toBe(1);
  });

  it('are expected to be larger as soon as one was', () => {
    enter()?.leave([1]);
    enter()?.leave([3 * mebibyte]);
    expect(countRoom()).toBe(1);
  });

  it('are expected to be smaller only when many were', () => {
    enter()?.leave([3 * mebibyte]);
    enter()?.leave([1]);
    const first = enter();
    expect(enter()).toBeNull();
    first?.leave(Array.from({ length: 100 }, () => 1));
    expect(countRoom()).toBeGreaterThan(100);
  });

  it('are expected of each model by itself', () => {
    enter()?.leave([3 * mebibyte]);
    const place = answers.enter('sketcher', plainGeneration);
    expect(answers.enter('sketcher', plainGeneration)).not.toBeNull();
    expect(enter()).toBeNull();
    place?.leave([]);
  });

  it('may be one that expects more than there is, alone', () => {
    expect(enter({ n: 10 })).not.toBeNull();
    expect(answers.refusals).toBe(0);
    expect(enter()).toBeNull();
    expect(answers.refusals).toBe(1);
  });

  it('leave nothing behind, whatever fractions were expected of them', () => {
    let before = enter();
    for (let count = 0; count < 60; count++) {
      const next = enter();
      before?.leave([700_001 - count]);
      before = next;
    }
    before?.leave([]);
    // Only where nothing is under way may one expect more than there is.
    expect(enter({ n: 10 })).not.toBeNull();
  });
});
