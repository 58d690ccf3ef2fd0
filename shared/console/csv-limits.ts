/** Rows of one file; a longer list is refused as a whole, and pages say so before. */
export const csvRowsMax = 100_000;
