/** What every measuring program does around its work. */

interface Program<Options> {
  helpText: string;
  /** Throws an error that says what is wrong with the arguments. */
  readOptions: (args: readonly string[]) => Options;
  /** Answers with the exit code. */
  run: (options: Options) => Promise<number>;
}

/** Runs the program with the arguments of this process, whose exit code is the program's: 2 for wrong arguments. */
export async function runProgram<Options extends { help: boolean }>({
  helpText,
  readOptions,
  run,
}: Program<Options>): Promise<void> {
  // Leaves no server and no file behind when it is interrupted: what ends in good order runs the exit handlers.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  let options: Options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
    return;
  }
  if (options.help) process.stdout.write(helpText);
  else process.exitCode = await run(options);
}
