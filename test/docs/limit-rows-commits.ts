/** The limits of commits that chains share on PostgreSQL. */
import { formatDuration } from '../../server/cli/durations.ts';
import { fixed, type LimitGroup, type LimitRow } from './limit-table.ts';

const groupCommit = 'server/db/postgres/group-commit.ts';
const groups = 'server/db/postgres/group-commit.db.test.ts';
const late = 'server/db/postgres/late-groups.db.test.ts';

export const commitLimits: LimitGroup = {
  name: 'commits',
  rows: [
    {
      limit: 'Chains that share a commit',
      ...fixed([groupCommit, 'chainsMax'], {
        unit: String,
        why: 'more of them keep one core of the server busy, and leave others idle',
      }),
      answer: 'the next commit',
      ...both('are more than share one transaction'),
    },
    {
      limit: 'Such commits of a process under way',
      ...fixed([groupCommit, 'groupsMax'], {
        unit: String,
        why: 'the more there are, the fewer chains has each',
      }),
      answer: 'wait for the first that ends',
      ...both('are no more at a time once they have ended', late),
    },
    {
      limit: "Wait of such a commit for somebody else's lock",
      ...fixed([groupCommit, 'lockMsMax'], {
        unit: formatDuration,
        why: 'it concerns one of its chains only',
      }),
      answer: 'that chain waits alone, the rest are made without it',
      ...both('wait not for what somebody else keeps one of them from'),
    },
    {
      limit: 'How long then other chains of the same wallet go alone',
      ...fixed([groupCommit, 'aloneMs'], {
        unit: formatDuration,
        why: 'somebody may have a lock for longer',
      }),
      answer: 'they share a commit again',
      ...both('go alone while somebody has what they want, and share again later'),
    },
    {
      limit: 'Time for such a commit in which others wait for it',
      ...fixed([groupCommit, 'groupMsMax'], {
        unit: formatDuration,
        why: 'a disk that works takes far less',
      }),
      answer: 'they are made beside it',
      ...both('of an owner wait in the process for those before, until these take too long', late),
    },
  ],
};

function both(name: string, file = groups): Pick<LimitRow, 'within' | 'beyond'> {
  return { within: [file, name], beyond: [file, name] };
}
