import { ApiError } from '../api/api-error.ts';
import { ErrorState } from '../parts/error-state.tsx';
import { paths } from '../paths.ts';
import { Button, buttonClass } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Link } from '../ui/link.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton, SkeletonRows } from '../ui/skeleton.tsx';

const failure = new ApiError({
  code: 'upstream_error',
  message: 'The image service behind this one failed. You were not charged.',
  traceId: 'tr_01jd3k8qzv6w0x9m2n4p6r8t0a',
});

export function KitStates() {
  return (
    <>
      <EmptyState
        title="No requests yet. Generate an image, or call the API."
        action={
          <Link to={paths.playground()} look="plain" className={buttonClass('primary')}>
            Open the playground
          </Link>
        }
      />
      <EmptyState title="No requests match." action={<Button>Clear</Button>}>
        Model: gen-image-2 · Status: Failed
      </EmptyState>
      <ErrorState error={failure} title="Usage could not be loaded" onRetry={() => {}} />
      {(['accent', 'ok', 'warn', 'bad'] as const).map((tone) => (
        <Notice
          key={tone}
          tone={tone}
          title="A title"
          actions={<Button size="small">Mend it</Button>}
        >
          A sentence about it.
        </Notice>
      ))}
      <SkeletonRows count={3} />
      <Skeleton className="h-10 w-60" />
    </>
  );
}
