import type { Command } from 'commander';
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
