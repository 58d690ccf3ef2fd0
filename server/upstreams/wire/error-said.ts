/** What an error answer says, in whichever shape its service gives it. Which fault that is, `faults.ts` knows. */
import { z } from 'zod';
import { commonFaultOf } from './common-codes.ts';
import { codeInMetadata, errorMetadata } from './error-metadata.ts';
import { machineWord } from './machine-word.ts';

/** An upstream's error in the shapes that image services use. */
export interface ErrorSaid {
  code: string | null;
  type: string | null;
  /** The field it is about. */
  param: string | null;
  /** For matching only: it never goes into a message of ours, for it may quote the prompt. */
  message: string | null;
}

/**
 * `{error: {code, type, message}}`, `{error: "…"}`, `{errors: […]}`, `{detail}`, `{message}`, and any
 * of them as the first of a list.
 */
export function readErrorSaid(body: unknown): ErrorSaid {
  const parsed = errorBody.safeParse(Array.isArray(body) ? body[0] : body);
  if (!parsed.success) return nothingSaid;
  const { error, errors, detail, message, code, type, param } = parsed.data;
  if (typeof error === 'string') {
    // Some give the name of what went wrong: `OutOfMemoryError`, `server_error`.
    return { ...nothingSaid, code: word(code) ?? machineWord(error), message: error };
  }
  const said = error ?? errors?.[0];
  if (said) return readErrorObject(said);
  if (Array.isArray(detail)) return readInvalidField(detail[0]);
  if (typeof detail === 'object' && detail !== null) {
    return readErrorSaid('error' in detail ? detail : { error: detail });
  }
  return {
    ...nothingSaid,
    code: word(code),
    type: type ?? null,
    param: param ?? null,
    message: detail ?? message ?? null,
  };
}

/** Whether a body of status 200 is an error all the same. */
export function saysError(body: unknown): boolean {
  const parsed = errorBody.safeParse(body);
  if (!parsed.success) return false;
  const { error, errors } = parsed.data;
  return (error ?? errors ?? null) !== null;
}

function readErrorObject(said: z.infer<typeof errorObject>): ErrorSaid {
  const inner = said.innererror?.code ?? null;
  const outer = word(said.code);
  return {
    code: inner !== null && commonFaultOf(inner) !== null ? inner : (outer ?? inner),
    type: codeInMetadata(said.metadata) ?? said.type ?? said.status ?? null,
    param: said.param ?? null,
    message: said.message ?? null,
  };
}

function readInvalidField({ loc, msg, type }: z.infer<typeof invalidField>): ErrorSaid {
  const param = loc.findLast((step) => typeof step === 'string') ?? null;
  return { ...nothingSaid, type: type ?? null, param, message: msg ?? null };
}

function word(code: string | number | null | undefined): string | null {
  return code === null || code === undefined ? null : String(code);
}

const nothingSaid: ErrorSaid = { code: null, type: null, param: null, message: null };

const textOrNull = z.string().nullish().catch(null);

const codeOrNull = z.union([z.string(), z.number()]).nullish().catch(null);

const errorObject = z.object({
  code: codeOrNull,
  type: textOrNull,
  param: textOrNull,
  message: textOrNull,
  status: textOrNull,
  /** Azure's: `error.innererror.code`. */
  innererror: z.object({ code: textOrNull }).nullish().catch(null),
  metadata: errorMetadata,
});

/** What FastAPI finds wrong with a field. */
const invalidField = z.object({
  loc: z.array(z.union([z.string(), z.number()])).catch([]),
  msg: textOrNull,
  type: textOrNull,
});

const errorBody = z.object({
  error: z.preprocess(unlessEmpty, z.union([errorObject, z.string()]).nullish().catch(null)),
  errors: z.preprocess(unlessEmpty, z.array(errorObject).nullish().catch(null)),
  detail: z
    .union([z.string(), z.tuple([invalidField], z.unknown()), z.record(z.string(), z.unknown())])
    .nullish()
    .catch(null),
  message: textOrNull,
  code: codeOrNull,
  type: textOrNull,
  param: textOrNull,
});

/** Some name the field always, or the fields in it, and leave them empty beside a picture. */
function unlessEmpty(said: unknown): unknown {
  return isEmpty(said) ? null : said;
}

function isEmpty(said: unknown): boolean {
  if (typeof said !== 'object' || said === null) return !said;
  const isPlain = Array.isArray(said) || Object.getPrototypeOf(said) === Object.prototype;
  return isPlain && Object.values(said).every(isEmpty);
}
