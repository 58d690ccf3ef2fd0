import type { AddHelpTextContext, Command } from 'commander';
import { nearest } from '../lib/nearest.ts';

const helpName = 'help';

/** `help` with as many words as a command has: the library's own reads only the first of them. */
export function addHelpCommands(parent: Command): void {
  const groups = parent.commands.filter(({ commands }) => commands.length > 0);
  for (const group of groups) addHelpCommands(group);
  parent
    .helpCommand(false)
    .command(`${helpName} [command...]`)
    .description('display help for command')
    .action((words: readonly string[]) => commandOf(parent, words).help());
}

export function isHelp(command: Command): boolean {
  return command.name() === helpName;
}

/** One line of help, which becomes several where it does not fit into the window. */
export interface HelpLine {
  text: string;
  /** By how many columns its beginning and what follows it stand in. */
  indent?: number;
}

/** What is to be said below the library's part of a help, in lines no longer than those. */
export function inLines(lines: readonly HelpLine[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const help = command.createHelp();
    const width = command.configureOutput().getOutHelpWidth?.() ?? columnsByDefault;
    const wrapped = lines.map(({ text, indent = 0 }) =>
      help.boxWrap(text, width - indent).replaceAll(/^/gm, ' '.repeat(indent)),
    );
    return `\n${wrapped.join('\n')}`;
  };
}

/** Of a window of which nothing is known; as the library has it. */
const columnsByDefault = 80;

function commandOf(parent: Command, words: readonly string[]): Command {
  return words.reduce((group, word) => {
    const found = group.commands.find((command) => command.name() === word);
    return found ?? group.error(`error: unknown command '${word}'${guess(word, group)}`);
  }, parent);
}

function guess(word: string, { commands }: Command): string {
  const meant = nearest(
    word,
    commands.map((command) => command.name()),
  );
  return meant === null ? '' : `\n(Did you mean ${meant}?)`;
}
