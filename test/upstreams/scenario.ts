import { expect } from 'vitest';
import type { EncodedImage } from '../../server/lib/pictures/encoded-image.ts';
import type { Fault } from '../../server/upstreams/upstream.ts';
import type { Outcome } from './contract-bench.ts';
import type { ContractSubject, FakeAnswer } from './contract-subject.ts';
import { type Delivery, whole } from './deliveries.ts';
import type { Reply } from './fake-service.ts';

/** Something that every adapter does, or the reason why it need not. */
export interface Scenario {
  name: string;
  applies: (subject: ContractSubject) => boolean;
  /** Rejects when the adapter does otherwise; `patienceMs` ends what never happens. */
  run: (subject: ContractSubject, options?: ScenarioOptions) => Promise<void>;
}

export interface ScenarioOptions {
  patienceMs?: number;
}

/** A scenario for every adapter. */
export function always(name: string, run: Scenario['run']): Scenario {
  return { name, applies: () => true, run };
}

export function reply(answer: FakeAnswer, deliver: Delivery = whole): Reply {
  return { answer, deliver };
}

export function bytesOf(image: EncodedImage): Buffer {
  return image.encoding === 'raw'
    ? image.bytes
    : Buffer.from(image.ascii.toString('latin1'), 'base64');
}

export function expectPicture(outcome: Outcome, picture: Buffer): void {
  expect(outcome.error, 'there is a picture').toBeNull();
  const bytes = outcome.final && bytesOf(outcome.final.image);
  expect(bytes?.equals(picture), 'the picture is the one that the service made').toBe(true);
}

export interface ExpectedError {
  faults: readonly Fault[];
  /** Left out where either is right. */
  possiblyCharged?: boolean;
}

export function expectFault(outcome: Outcome, { faults, possiblyCharged }: ExpectedError): void {
  expect(outcome.final, 'there is no picture').toBeNull();
  expect(faults, 'the fault').toContain(outcome.error?.fault);
  if (possiblyCharged === undefined) return;
  expect(outcome.error?.possiblyCharged, 'possiblyCharged').toBe(possiblyCharged);
}
