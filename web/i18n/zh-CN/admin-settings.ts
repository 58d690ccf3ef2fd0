import type { adminSettings as source } from '../en/admin-settings.ts';
import { chinese } from '../words.ts';

export const adminSettings: typeof source = {
  title: '系统设置',
  sections: '分类',
  names: {
    general: '常规',
    access: '访问',
    limits: '限制',
    notices: '通知',
    privacy: '隐私',
    proxy: '代理',
  },
  failed: '无法加载设置',
  unknownSection: '没有这个分类。',
  discard: '放弃更改',
  byDefault: (value) => `默认：${value}`,
  empty: '空',
  badInteger: (min, max) => `请输入 ${chinese.number(min)} 到 ${chinese.number(max)} 的整数。`,
  badUrl: '请输入以 http:// 或 https:// 开头的地址，或留空。',
  badZone: '请输入时区，例如 Europe/Berlin。',
  labels: {
    installation_name: { label: '名称', help: '控制台和邮件对此服务的称呼。' },
    currency: { label: '货币', help: '所有金额使用的货币。产生第一笔钱包交易后不可更改。' },
    default_zone: {
      label: '默认时区',
      help: '用于未选择时区且浏览器未提供时区的用户的报表，以及发给未选择时区的用户的邮件。',
    },
    default_language: {
      label: '邮件语言',
      help: '用于邀请邮件，以及发给未在账户页选择语言的用户的邮件。',
    },
    contact: { label: '联系方式', help: '用户需要帮助时联系谁：地址或一句话。' },
    top_up_text: { label: '充值方式', help: '显示在钱包旁边，以及发给用户的通知中。' },
    registration: { label: '注册', help: '谁可以开户。' },
    slots_per_user: { label: '并发请求数', help: '适用于没有单独上限的用户。' },
    abandoned_requests_per_user: {
      label: '继续运行的请求数',
      help: '调用方断开后，每位用户可继续运行的请求数。',
    },
    top_up_min: {
      label: '最小支付金额',
      help: '用户单次可支付的最小金额。',
    },
    top_up_max: {
      label: '最大支付金额',
      help: '用户单次可支付的最大金额。',
    },
    usage_days_kept: {
      label: '请求保留天数',
      help: '更早的请求仅按天保留合计；0 表示全部保留。',
    },
    audit_days_kept: {
      label: '审计保留天数',
      help: '更早的记录会被删除；0 表示全部保留。',
    },
    low_balance: {
      label: '余额过低',
      help: '低于此值时通知用户和下方地址；0 表示从不通知。',
    },
    notice_webhook_url: {
      label: '通知地址',
      help: '通知会发送到此处，并以 TINTYPE_NOTICE_SECRET 签名。留空则不发送。',
    },
  },
  choices: {
    'default_language.en': 'English',
    'default_language.zh-CN': '简体中文',
    'registration.closed': '关闭',
    'registration.invitation': '凭邀请',
    'registration.open': '开放',
  },
  locked: { currency: '金额以此货币保存。产生第一笔钱包交易后不可更改。' },

  privacy: {
    promise: '提示词和图片绝不保存',
    promiseText: '数据库和日志中都没有提示词、图片、参考图或蒙版，也没有任何选项能改变这一点。',
    stored: '保存的内容',
    storedItems: [
      {
        what: '请求',
        detail:
          '时间、用户和所用密钥；模型、尺寸、质量和格式；费用、结果，以及对上游的每次调用。它们由追踪编号关联。',
      },
      { what: '资金', detail: '每一笔钱包交易，绝不修改或删除。' },
      { what: '账户', detail: '邮箱、姓名，以及密码和 API 密钥的哈希值。' },
      { what: '会话', detail: '浏览器名称及其网络地址，直到会话结束。' },
      { what: '上游', detail: '其密钥和代理，用本安装的主密钥加密。' },
      { what: '审计', detail: '谁在何时因何更改了什么，不含机密。' },
      { what: '日志', detail: '每个请求的追踪编号、路由、状态和耗时，不含网络地址和内容。' },
    ],
    elsewhere: '不在这里的内容',
    elsewhereItems: [
      {
        what: '浏览器',
        detail:
          '图库将图片保存在生成者自己的浏览器中，不会发往任何地方。每位用户可在“账户设置”中关闭。',
      },
      {
        what: '图片服务',
        detail: '生成图片的上游会收到提示词和参考图。它保留什么取决于其条款。',
      },
      {
        what: '内存',
        detail:
          '带 Idempotency-Key 的请求（创作台的请求都带）的结果会等待重复请求，这样连接中断也不会丢失已付费的图片。一段时间后或进程结束时即消失。',
      },
    ],
    options: '可以选择的内容',
    optionsText: '这些是启动选项。',
    optionItems: [
      {
        name: 'TINTYPE_IDEMPOTENCY_REPLAY',
        effect: '此类结果等待多久：默认 10 分钟。`0s` 表示不保留。',
      },
      {
        name: 'TINTYPE_IDEMPOTENCY_REPLAY_MAX',
        effect: '它们最多占用多少内存，最久未用的先让出。',
      },
      {
        name: 'TINTYPE_LOG_LEVEL',
        effect: '记录多少日志。任何级别都不含提示词和图片。',
      },
    ],
  },

  proxyTitle: '代理会切断长响应吗？',
  proxyText:
    '生成图片最长需要两分钟。此测试沿浏览器所走的路径保持一个流打开 150 秒，并报告何时被切断。与生成图片时相同，最多每 15 秒发送一次注释。',
  begin: '开始测试',
  stop: '停止',
  elapsed: (time) => `${time} / 2:30`,
  running: '流已打开。您可以在其他标签页继续工作。',
  passed: '流保持了 150 秒。路径上没有任何环节会切断图片。',
  cut: (time) => `流在 ${time} 后被切断。`,
  cutAdvice: '请提高代理的响应时间上限，并关闭其缓冲：',
  failedAtOnce: '无法打开流',
  stopped: (time) => `在 ${time} 后停止。在此之前流一直打开。`,
  nginx: 'nginx',
  caddy: 'Caddy',
};
