/** A program of its own, so that its memory is that of verifying and of nothing else. */
import { verifyBooks } from '../../server/flows/money/verify-books.ts';
import { type Location, openLocation } from './bench-databases.ts';

export interface Verification {
  seconds: number;
  peakBytes: number;
  violations: number;
}

// Written by `measure-verify.ts`.
const database = openLocation(JSON.parse(process.argv[2] ?? '') as Location);
const startedAt = performance.now();
const { violations } = await verifyBooks(database);
const verification: Verification = {
  seconds: (performance.now() - startedAt) / 1_000,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
  violations: violations.length,
};
await database.close();
process.stdout.write(JSON.stringify(verification));
