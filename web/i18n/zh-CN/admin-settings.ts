import type { adminSettings as source } from '../en/admin-settings.ts';
import { chinese } from '../words.ts';

export const adminSettings: typeof source = {
  title: '系统设置',
  sections: '分类',
  names: { general: '常规', access: '访问', limits: '限制', notices: '通知', proxy: '代理' },
  failed: '无法加载设置',
  unknownSection: '没有这个分类。',
  discard: '放弃更改',
  byDefault: (value) => `默认：${value}`,
  empty: '空',
  badInteger: (min, max) => `请输入 ${chinese.number(min)} 到 ${chinese.number(max)} 的整数。`,
  badUrl: '请输入以 http:// 或 https:// 开头的地址，或留空。',
  badZone: '请输入时区，例如 Europe/Berlin。',
  labels: {
    installation_name: { label: '名称', help: '控制台对此服务的称呼。' },
    currency: { label: '货币', help: '所有金额使用的货币。产生第一笔钱包交易后不可更改。' },
    default_zone: {
      label: '默认时区',
      help: '用于未选择时区且浏览器未提供时区的用户的报表。',
    },
    contact: { label: '联系方式', help: '用户需要帮助时联系谁：地址或一句话。' },
    top_up_text: { label: '充值方式', help: '显示在钱包旁边。' },
    registration: { label: '注册', help: '谁可以开户。' },
    slots_per_user: { label: '并发请求数', help: '适用于没有单独上限的用户。' },
    abandoned_requests_per_user: {
      label: '继续运行的请求数',
      help: '调用方断开后，每位用户可继续运行的请求数。',
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
    'registration.closed': '关闭',
    'registration.invitation': '凭邀请',
    'registration.open': '开放',
  },
  locked: { currency: '金额以此货币保存。产生第一笔钱包交易后不可更改。' },

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
