import { z } from 'zod';

/** What a decimal of a form must look like; the server reads it exactly. */
export const decimalSchema = z
  .string()
  .trim()
  .regex(/^\d{1,10}(\.\d{1,6})?$/, 'write a decimal such as 12.50, with at most 6 decimals');
