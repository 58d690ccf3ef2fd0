/** What one ComfyUI, its workflows and one attempt may cost us. */
export const comfyuiLimits = {
  workflowsMax: 64,
  workflowTextCharactersMax: 512 * 1024,
  nodesMax: 512,
  /** Levels of lists and objects within one input of a node. */
  inputDepthMax: 8,
  /** References that one workflow takes. */
  imagesMax: 16,
  /** Places that get the same value. */
  placesMax: 8,
  stepsMax: 200,
  sidePixelsMax: 8192,
  /** Node classes looked up for one model list. */
  listedClassesMax: 128,
  /** A text frame longer than this says nothing that we wait for. */
  textFrameCharactersMax: 1024 * 1024,
  previewMetadataBytesMax: 64 * 1024,
  /** Of one attempt; a step of a sampler is three or four. */
  framesMax: 200_000,
  /** Kept until the server has said what it calls the prompt. */
  earlyFramesMax: 64,
  /** Time without news from the socket, after which the history is asked. */
  silenceMs: 60_000,
  /** In a row, without a frame in between; then the workflow counts as stuck. */
  silentChecksMax: 20,
  /** From the report of success to the entry in the history. */
  endingMs: 1_000,
  endingChecksMax: 10,
  /** Between two looks at the history after the socket was lost. */
  pollMs: 2_000,
  pollsMax: 300,
  /** What follows an attempt: cancel, forget, erase. */
  errandMsMax: 20_000,
  /** How much of it a canceled workflow gets to come to its end. */
  endingMsMax: 10_000,
  queueMax: 10_000,
  queueSecondsMax: 86_400,
} as const;
