/** Reads the values of arguments and options; what is wrong with one ends the command with its usage. */
import { type Command, InvalidArgumentError } from 'commander';
import { type Amount, boundPassed, parseAmount, zero } from '../../shared/money.ts';
import { ServiceError } from '../lib/service-error.ts';
import { UsageError } from './failure.ts';

export function amountArgument(text: string): Amount {
  const amount = parseAmount(text);
  if (amount !== null) return amount;
  const bound = boundPassed(text);
  if (bound !== null) throw new InvalidArgumentError(`It must be ${bound}.`);
  throw new InvalidArgumentError('It must be a decimal such as 12.50, with up to 6 decimals.');
}

/** As `amountArgument`, where nothing is no amount. */
export function amountAboveZero(text: string): Amount {
  const amount = amountArgument(text);
  if (amount > zero) return amount;
  throw new InvalidArgumentError('It must be greater than zero.');
}

/** For an option whose value may be an unset variable of a script: without it another would be taken without a word. */
export function namedArgument(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('It is empty: give it a value, or leave the option out.');
}

/** For an option of which the last would be taken and those before it left out without a word. */
export function onceArgument(text: string, before: string | undefined): string {
  if (before === undefined) return namedArgument(text);
  throw new InvalidArgumentError(`It is given already, as '${before}': give one.`);
}

/** A reader of whole numbers within a range. */
export function integerArgument(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };
}

/** Entries between commas, without blanks around them. */
export function listArgument(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim());
  if (entries.some((entry) => entry === '')) {
    throw new InvalidArgumentError('It must be names between commas.');
  }
  return entries;
}

/** Runs a parser whose refusal is the fault of the command line. */
export function asUsage<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof ServiceError) throw new UsageError(error.message);
    throw error;
  }
}

/** For a command whose `--zone` is that of `--expires` and of nothing else: it would be ignored in silence. */
export function refuseIdleZone(command: Command): void {
  const { expires } = command.opts<{ expires?: string }>();
  if (expires !== undefined || command.getOptionValueSource('zone') !== 'cli') return;
  throw new UsageError('--zone needs --expires, whose day it is for');
}
