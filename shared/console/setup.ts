import { z } from 'zod';
import { newPasswordSchema } from './sign-in.ts';

const setupSecretSchema = z.string().min(1).max(100);

export const setupRequestSchema = z.object({
  /** From the link that the service printed. */
  secret: setupSecretSchema,
  email: z.string().min(1).max(254),
  password: newPasswordSchema,
});

export const setupCheckSchema = z.object({ secret: setupSecretSchema });
export const setupCheckAnswerSchema = z.object({ is_valid: z.boolean() });

/** Which steps are done, as the data show it. */
export const setupStateSchema = z.object({
  account: z.boolean(),
  upstream: z.boolean(),
  models: z.boolean(),
  wallet: z.boolean(),
  key: z.boolean(),
  picture: z.boolean(),
});
export type SetupState = z.infer<typeof setupStateSchema>;
