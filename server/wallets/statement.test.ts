import { describe, expect, it } from 'vitest';
import { formatAmount } from '../../shared/money.ts';
import { amount } from '../../test/support/console/test-admin.ts';
import { type LedgerSpan, makeStatement } from './statement.ts';
import type { WalletTransaction } from './transaction.ts';

const entries: readonly WalletTransaction[] = [
  entry(4, 'top_up', '25', '30'),
  entry(5, 'charge', '-0.04', '29.96'),
  entry(6, 'charge', '-0.04', '29.92'),
  entry(7, 'refund', '0.04', '29.96'),
  entry(8, 'adjustment', '-1.50', '28.46'),
];

const november: LedgerSpan = {
  sumBefore: amount('5'),
  before: { seq: 3, balanceAfter: amount('5') },
  entries,
  balanceNow: amount('28.46'),
};

describe('a statement', () => {
  it('begins with what was there, adds every entry, and ends with what is there', () => {
    const statement = makeStatement(november);
    expect(statement).toMatchObject({ opening: amount('5'), closing: amount('28.46') });
    expect(statement.problems).toEqual([]);
  });

  it('has the sum and the number of each kind', () => {
    const totals = Object.entries(makeStatement(november).totals);
    expect(
      totals.map(([kind, { count, sum }]) => `${count} ${kind}: ${formatAmount(sum)}`),
    ).toEqual(['1 top_up: 25.00', '2 charge: -0.08', '1 refund: 0.04', '1 adjustment: -1.50']);
  });

  it('is right without any entry', () => {
    expect(makeStatement({ ...november, entries: [], balanceNow: amount('5') })).toMatchObject({
      opening: amount('5'),
      closing: amount('5'),
      problems: [],
    });
  });

  it('is right for a wallet that never moved', () => {
    const span = { sumBefore: amount('0'), before: null, entries: [], balanceNow: amount('0') };
    expect(makeStatement(span)).toMatchObject({ opening: 0, closing: 0, problems: [] });
  });
});

describe('what does not add up is named', () => {
  it.each<[string, Partial<LedgerSpan>, string[]]>([
    [
      'the balance before is not the sum of what came before',
      { sumBefore: amount('4') },
      [
        'the recorded balance before the first entry is 5.00 and should be 4.00',
        'the recorded balance after the last entry is 28.46 and should be 27.46',
        "the wallet's balance is 28.46 and should be 27.46",
      ],
    ],
    [
      'an entry carries another amount',
      { entries: changed(1, { amount: amount('-0.05') }) },
      [
        'the recorded balance after entry 5 is 29.96 and should be 29.95',
        'the recorded balance after the last entry is 28.46 and should be 28.45',
        "the wallet's balance is 28.46 and should be 28.45",
      ],
    ],
    [
      'an entry is missing',
      { entries: entries.filter(({ seq }) => seq !== 6) },
      [
        'entry 7 follows entry 5',
        'the recorded balance after entry 7 is 29.96 and should be 30.00',
        'the recorded balance after the last entry is 28.46 and should be 28.50',
        "the wallet's balance is 28.46 and should be 28.50",
      ],
    ],
    [
      'the wallet says something else',
      { balanceNow: amount('28.47') },
      ["the wallet's balance is 28.47 and should be 28.46"],
    ],
  ])('%s', (_what, change, problems) => {
    expect(makeStatement({ ...november, ...change }).problems).toEqual(problems);
  });

  it('but the balance of today is none of its business when it ends earlier', () => {
    expect(makeStatement({ ...november, balanceNow: null }).problems).toEqual([]);
  });
});

function changed(index: number, change: Partial<WalletTransaction>): WalletTransaction[] {
  return entries.map((each, i) => (i === index ? { ...each, ...change } : each));
}

function entry(
  ...[seq, kind, text, balanceAfter]: [number, WalletTransaction['kind'], string, string]
): WalletTransaction {
  return {
    id: `txn_${seq}`,
    userId: 'usr_1',
    seq,
    kind,
    amount: amount(text),
    balanceAfter: amount(balanceAfter),
    traceId: null,
    actor: 'system',
    reason: null,
    createdAt: seq,
  };
}
