import { describe, expect, it } from 'vitest';
import { OwnPlaces } from './places.ts';

describe('places', () => {
  it('are taken back only once', () => {
    const places = new OwnPlaces({ concurrencyMax: 2, queueMax: 0 });
    const leave = places.tryTake();
    places.tryTake();
    leave?.();
    leave?.();
    expect(places.running).toBe(1);
  });

  it('are as many as anybody wants where there is no limit', () => {
    const places = new OwnPlaces({ concurrencyMax: null, queueMax: 0 });
    for (let taken = 1; taken <= 1_000; taken++) places.tryTake();
    expect(places).toMatchObject({ running: 1_000, waiting: 0 });
  });

  it('are handed over to who stopped waiting in the moment in which one was given', async () => {
    const places = new OwnPlaces({ concurrencyMax: 1, queueMax: 1 });
    const leave = places.tryTake();
    const wait = places.take();
    leave?.();
    const given = wait.stop();
    expect(given).toBe(await wait.outcome);
    given?.();
    expect(places).toMatchObject({ running: 0, waiting: 0 });
  });

  it('are not given to who waits no longer', () => {
    const places = new OwnPlaces({ concurrencyMax: 1, queueMax: 1 });
    const leave = places.tryTake();
    expect(places.take().stop()).toBeNull();
    leave?.();
    expect(places).toMatchObject({ running: 0, waiting: 0 });
  });
});
