import type { englishWords as source } from './english-words.ts';

export const chineseWords: typeof source = {
  letters: {
    password_reset: {
      subject: (service) => `${service}：设置新密码`,
      before: (service) =>
        `有人请求为您在 ${service} 的账户设置新密码。如果是您本人，请在一小时内打开此链接：`,
      after: '如果不是您本人，请忽略此邮件，您的密码不会改变。',
    },
    registration: {
      subject: (service) => `${service}：开通账户`,
      before: (service) =>
        `有人请求用此邮箱在 ${service} 开通账户。如果是您本人，请在一小时内打开此链接：`,
      after: '如果不是您本人，请忽略此邮件。',
    },
    known: {
      subject: (service) => `${service}：您已有账户`,
      before: (service) =>
        `有人请求用此邮箱在 ${service} 开通账户，但该邮箱已有账户。如果是您本人，请直接登录：`,
      after: '如果不是您本人，请忽略此邮件。',
    },
    invitation: {
      subject: (service) => `${service}：您收到了邀请`,
      before: (service, inviter) =>
        `您受邀使用 ${service}，邀请人为 ${inviter}。请在一周内打开此链接开通账户：`,
      after: '链接只能使用一次，请勿转发。',
    },
  },

  inviter: {
    both: (name, email) => `${name}（${email}）`,
    somebody: '管理员',
  },

  accountChange: {
    kinds: {
      password: {
        subject: (service) => `${service}：您的密码已更改`,
        happened: ({ service, time }) => `${time}，您在 ${service} 的账户密码已更改。`,
      },
      authenticator_added: {
        subject: (service) => `${service}：已添加身份验证器`,
        happened: ({ service, time }) => `${time}，您在 ${service} 的账户添加了身份验证器。`,
      },
      authenticator_removed: {
        subject: (service) => `${service}：已移除身份验证器`,
        happened: ({ service, time }) => `${time}，您在 ${service} 的账户移除了身份验证器。`,
      },
      recovery_codes: {
        subject: (service) => `${service}：已生成新的恢复码`,
        happened: ({ service, time }) =>
          `${time}，您在 ${service} 的账户生成了新的恢复码，旧的恢复码已失效。`,
      },
      recovery_code_used: {
        subject: (service) => `${service}：已使用恢复码`,
        happened: ({ service, time }) =>
          `${time}，有人用密码和恢复码登录了您在 ${service} 的账户，该恢复码已失效。`,
      },
      passkey_added: {
        subject: (service) => `${service}：已添加通行密钥`,
        happened: ({ service, time }) => `${time}，您在 ${service} 的账户添加了通行密钥。`,
      },
      passkey_removed: {
        subject: (service) => `${service}：已移除通行密钥`,
        happened: ({ service, time }) => `${time}，您在 ${service} 的账户移除了一个通行密钥。`,
      },
    },
    known: '如果您知情，无需任何操作。',
    unknown:
      '如果您不知情，可能有人正在使用您的账户。请立即设置新密码，所有浏览器和脚本都会因此退出：在此页面选择“忘记密码？”。',
    afterwards: '然后请查看“账户设置”中的通行密钥和身份验证器，以及 API 密钥，是否都属于您。',
  },

  lowBalance: {
    subject: (service, balance) => `${service}：余额不足，仅剩 ${balance}`,
    fell: ({ service, threshold, balance, time }) =>
      `${time}，您在 ${service} 的余额低于 ${threshold}，当时为 ${balance}。`,
    until: '只要余额还够支付一张图片，您就可以继续使用；不够时，请求会被拒绝。',
    addFunds: '为避免这种情况，请为钱包充值。',
    addFundsBy: '为避免这种情况，请为钱包充值：',
    onceEach: (threshold) => `余额每次低于 ${threshold} 时，您都会收到一封这样的邮件。`,
  },

  test: {
    subject: (service) => `${service}：余额不足通知的测试`,
    works: (service) => `${service} 的管理员在测试通知能否送达此邮箱。您已收到，无需任何操作。`,
  },

  contact: (contact) => `联系方式：${contact}`,
  notice: (id) => `通知编号：${id}`,
  request: (traceId) => `追踪编号：${traceId}`,
};
