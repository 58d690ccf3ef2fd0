/** Requests over which upstreams are compared: each one's list of calls is read, and pages say so before. */
export const comparedRequestsMax = 200_000;
