/** How often a job tries, how long it waits, and how many are remembered. */
export const jobLimits = {
  /** Ended jobs that are remembered. */
  endedMax: 50,
  /** Connections that a job opens after its first was cut, without being asked to. */
  reconnectsMax: 4,
  reconnectWaitMs: 1_000,
  /** How often and how long a job that was canceled looks for the end of its request. */
  settleLooksMax: 60,
  settleWaitMs: 500,
  /** Looks for a request that may be just arriving when it is canceled. */
  cancelLooksMax: 6,
  cancelWaitMs: 500,
  /** After the service said that there are enough requests, unless it said for how long. */
  refusedWaitMs: 2_000,
  /**
   * How old a request that a page has left may be: more than the longest stream and the longest time for which its
   * answer is kept, by the service's options, so that whoever comes back sooner is told what became of it.
   */
  leftMsMax: 25 * 3_600_000,
} as const;
