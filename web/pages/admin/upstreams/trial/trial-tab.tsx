import type { UpstreamDetail } from '../../../../api/admin-upstreams.ts';
import { ListTest } from './list-test.tsx';
import { ProbeTest } from './probe-test.tsx';

/** First what is free, then what may cost something. */
export function TestTab({ upstream }: { upstream: UpstreamDetail }) {
  return (
    <div className="grid max-w-190 gap-8">
      <ListTest upstream={upstream} />
      <ProbeTest upstream={upstream} />
    </div>
  );
}
