import { adminSettingsText } from '../../../i18n/admin-settings-text.ts';
import { useText } from '../../../i18n/text.ts';
import { formatElapsed } from '../../../lib/time-format.ts';
import { ErrorState } from '../../../parts/error-state.tsx';
import { Section } from '../../../parts/section.tsx';
import { Button } from '../../../ui/button.tsx';
import { CodeBlock } from '../../../ui/code-block.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useElapsed } from '../use-elapsed.ts';
import { type ProxyTestState, useProxyTest } from './use-proxy-test.ts';

/** What lies between the browser and the service is seen from here only. */
export function ProxyTest() {
  const t = useText(adminSettingsText);
  const { state, begin, stop } = useProxyTest();
  const isRunning = state.phase === 'running';
  return (
    <Section title={t.proxyTitle} text={t.proxyText}>
      <div className="flex flex-wrap items-center gap-4">
        {isRunning ? (
          <Button onClick={stop}>{t.stop}</Button>
        ) : (
          <Button look="primary" onClick={() => void begin()}>
            {t.begin}
          </Button>
        )}
        {isRunning && <Timer />}
      </div>
      <div role="status" className="grid gap-3 empty:hidden">
        {isRunning && <p className="text-text-2">{t.running}</p>}
        <Outcome state={state} />
      </div>
    </Section>
  );
}

function Timer() {
  const t = useText(adminSettingsText);
  const elapsed = useElapsed(true);
  return (
    <span role="timer" className="tabular font-semibold">
      {t.elapsed(formatElapsed(elapsed))}
    </span>
  );
}

function Outcome({ state: { phase, elapsedMs, error } }: { state: ProxyTestState }) {
  const t = useText(adminSettingsText);
  const time = formatElapsed(elapsedMs);
  switch (phase) {
    case 'passed':
      return <Notice tone="ok">{t.passed}</Notice>;
    case 'stopped':
      return <p className="text-text-2">{t.stopped(time)}</p>;
    case 'refused':
      return <ErrorState error={error} title={t.failedAtOnce} />;
    case 'cut':
      return (
        <>
          <Notice tone="bad" title={t.cut(time)}>
            <p>{t.cutAdvice}</p>
          </Notice>
          <CodeBlock label={t.nginx} code={nginx} />
          <CodeBlock label={t.caddy} code={caddy} />
        </>
      );
    case 'idle':
    case 'running':
      return null;
  }
}

const nginx = `# nginx
proxy_read_timeout 300s;
proxy_send_timeout 300s;
proxy_buffering off;`;

const caddy = `# Caddy
reverse_proxy 127.0.0.1:8080 {
  flush_interval -1
  transport http {
    response_header_timeout 300s
  }
}`;
