import type { usage as source } from '../en/usage.ts';
import { chinese } from '../words.ts';

const requests = (count: number) => `${chinese.number(count)} 次请求`;
const units = { day: '天', hour: '小时' } as const;

export const usage: typeof source = {
  title: '用量',
  requestTitle: '请求',

  spend: '支出',
  requests: '请求数',
  imagesBilled: '计费图片',
  notBilled: '未计费',
  notBilledNote: '失败与已取消',
  refundedOf: (charged, refunded) => `扣费 ${charged}，退款 ${refunded}`,
  allMatching: '所有符合条件的请求',

  time: '时间',
  day: '日期',
  hour: '小时',
  model: '模型',
  operation: '操作',
  key: 'API 密钥',
  requestsColumn: '请求数',
  images: '图片',
  cost: '费用',
  duration: '耗时',
  status: '状态',
  code: '代码',
  trace: '追踪编号',
  zone: '时区',
  traceHint: 'tr_…',
  notBilledChoice: '未计费',
  moreFilters: '更多筛选',
  filterOf: (name, value) => `${name}：${value}`,

  chart: '图表内容',
  chartTitle: { spend: '各模型支出', requests: '各模型请求数' },
  spendSummary: (total, buckets, unit) =>
    `${chinese.number(buckets)} ${units[unit]}共扣费 ${total}`,
  requestsSummary: (total, buckets, unit) =>
    `${chinese.number(buckets)} ${units[unit]}共 ${requests(total)}`,
  sum: '合计',
  requestCount: requests,

  group: '显示',
  groups: { none: '请求', day: '按天', model: '按模型', key: '按密钥' },
  noKey: '无',
  refresh: '刷新',
  refreshed: { off: '不自动刷新', '10s': '每 10 秒刷新', '60s': '每 60 秒刷新' },
  refreshes: { off: '关闭', '10s': '每 10 秒', '60s': '每 60 秒' },
  newRequests: (count, isMore) =>
    isMore ? `超过 ${chinese.number(count)} 个新请求。` : `${chinese.number(count)} 个新请求。`,
  showNew: '显示',

  listFailed: '无法加载请求',
  chartFailed: '无法加载图表',
  recordFailed: '无法加载此请求',
  emptyTitle: '还没有请求。生成一张图片，或调用 API。',
  emptyGenerate: '生成图片',
  emptyApi: '调用 API',
  nothingTitle: '没有符合条件的请求。',

  charged: (amount) => `已扣费 ${amount}`,
  running: '进行中',
  unbilled: '未计费',
  started: '开始',
  ended: '结束',
  delivered: (images, asked) =>
    images === asked
      ? chinese.number(images)
      : `${chinese.number(images)}（要求 ${chinese.number(asked)}）`,
  form: '要求与实际',
  asked: '要求',
  used: '实际',
  size: '尺寸',
  quality: '质量',
  format: '格式',
  compression: '压缩',
  background: '背景',
  stream: '流式返回',
  streamed: (previews) =>
    previews === 0 ? '是，无预览' : `是，要求 ${chinese.number(previews)} 张预览`,
  no: '否',
  references: '参考图',
  withMask: (count) => `${chinese.number(count)} 张，带蒙版`,
  billing: '计费',
  unitPrice: '价格',
  walletEntry: '钱包记录',
  balanceAfter: (amount) => `之后余额 ${amount}`,
  refund: '退款',
  timing: '耗时明细',
  waited: '到达上游之前',
  upstream: '上游',
  rest: '检查与发送',
  notStored: '提示词和图片不会被保存。',
  copySupport: '复制支持信息',
  openLog: '在用量日志中打开',
  openUsage: '在用量中打开',
};
