/** A worker that dies before it is ready, and does not say why. */
process.exit(3);
