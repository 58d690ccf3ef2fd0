/** What an upstream's answer may cost us; more is a `protocol` fault. */
export const answerLimits = {
  /** A JSON answer, or one event of a stream: a 4096 × 4096 PNG in base64 fits several times. */
  documentBytesMax: 64 * 1024 ** 2,
  /** Of a JSON document, what is left when its pictures are cut out. */
  documentTextBytesMax: 1024 ** 2,
  documentDepthMax: 64,
  /** A whole event stream: three partial images and the picture, each as long as allowed. */
  streamBytesMax: 256 * 1024 ** 2,
  /** Of such a stream, comments and empty ones too: 160 a second for ten minutes. */
  streamLinesMax: 100_000,
  /** Of an answer that only says what went wrong, unless it is said to be JSON. */
  errorBytesMax: 64 * 1024,
  /** A picture that the answer leads to. */
  pictureBytesMax: 50 * 1024 ** 2,
  /** A model list. */
  listBytesMax: 8 * 1024 ** 2,
} as const;
