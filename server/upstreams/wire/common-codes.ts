/** Codes of errors that mean the same wherever they stand. */
import type { Fault } from '../upstream.ts';

/**
 * What services of many vendors agree on, and what OpenAI says, which gateways pass on. What another
 * vendor alone says belongs to its adapter.
 */
export function commonFaultOf(word: string): Fault | null {
  return commonCodes.get(plain(word)) ?? null;
}

/** One spelling for `content_filter`, `contentFilter` and `ContentFilter`. */
function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

const commonCodes: ReadonlyMap<string, Fault> = new Map(
  Object.entries({
    refused: [
      'moderation_blocked',
      'content_policy_violation',
      'content_filter',
      'image_content_policy_violation',
      'ResponsibleAIPolicyViolation',
      'bio_policy',
    ],
    quota: [
      'insufficient_quota',
      'billing_hard_limit_reached',
      'billing_not_active',
      'credit_balance_exhausted',
      'organization_spend_limit_exceeded',
      'organization_usage_limit_exceeded',
      'project_spend_limit_exceeded',
      'insufficient_balance',
      'insufficient_credits',
      'payment_required',
    ],
    auth: [
      'invalid_api_key',
      'authentication_error',
      'account_deactivated',
      'permission_denied',
      'permission_error',
      'unauthenticated',
      'unauthorized',
    ],
    unsupported: ['model_not_found', 'DeploymentNotFound', 'unsupported_model'],
    busy: [
      'rate_limit_exceeded',
      'rate_limit_error',
      'too_many_requests',
      'resource_exhausted',
      'slow_down',
      'server_overloaded',
      'server_is_overloaded',
      'engine_overloaded',
      'overloaded_error',
    ],
    unavailable: [
      'server_error',
      'internal_server_error',
      'service_unavailable',
      'image_generation_failed',
      'image_generation_server_error',
    ],
    timeout: ['deadline_exceeded', 'gateway_timeout'],
  } satisfies Partial<Record<Fault, string[]>>).flatMap(([fault, words]) =>
    // The names of the record are what it satisfies.
    words.map((word) => [plain(word), fault as Fault] as const),
  ),
);
