/** So many, or fewer, are left: time for new ones. */
export const recoveryCodesFew = 2;
