import type { adminCodes as source } from '../en/admin-codes.ts';
import { chinese } from '../words.ts';

export const adminCodes: typeof source = {
  title: '兑换码',
  failed: '无法加载兑换码',
  empty: '还没有兑换码。可以为需要充值但不在这里付款的人生成一些。',
  nothing: '没有符合条件的兑换码。',
  create: '生成兑换码',
  createText: '每个兑换码只能使用一次，金额充入最先兑换者的钱包。',
  createConfirm: '生成',
  amount: '单个金额',
  count: '数量',
  badCount: (max) => `请输入 1 到 ${chinese.number(max)} 之间的整数。`,
  note: '备注',
  noteHelp: '供管理员查看，也会显示在兑换者的钱包交易中。',
  expiry: '有效期',
  expiries: {
    never: '直到被兑换',
    '30d': '30 天',
    '90d': '90 天',
    '365d': '一年',
  },
  unsure:
    '兑换码可能已经生成，但没有人看到过。请再次生成：之前生成的会被撤回。如果直接关闭，请在列表中撤回它们。',
  madeTitle: (count) => `${chinese.number(count)} 个兑换码`,
  madeText: (count) =>
    count === 1
      ? '请立即保存：它只显示这一次，这里只保留其指纹。'
      : '请立即保存：它们只显示这一次，这里只保留每个兑换码的指纹。',
  secret: '兑换码',
  download: '下载 CSV',
  stored: () => '我已保存',
  storedFirst: () => '请先保存，再勾选此项。',
  done: '完成',

  state: '状态',
  states: {
    open: '未使用',
    redeemed: '已兑换',
    withdrawn: '已撤回',
    expired: '已过期',
  },
  filterOf: (name, value) => `${name}：${value}`,
  batch: '批次',
  total: (count, sum) => `${chinese.number(count)} 个兑换码${sum === null ? '' : `，共 ${sum}`}`,
  code: '兑换码',
  value: '金额',
  made: '生成时间',
  by: '操作者',
  expires: '过期时间',
  redeemedBy: '兑换者',
  withdraw: '撤回',
  withdrawBatch: '撤回该批次',
  withdrawTitle: (ending) => `撤回尾号为 ${ending} 的兑换码？`,
  withdrawBatchTitle: '撤回该批次剩余的兑换码？',
  withdrawText: '之后任何人都无法再兑换它。此操作无法撤销。',
  withdrawBatchText: '之后任何人都无法再兑换其中未使用的兑换码。已兑换的不受影响。此操作无法撤销。',
};
