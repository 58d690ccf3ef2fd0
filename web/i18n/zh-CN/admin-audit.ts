import type { adminAudit as source } from '../en/admin-audit.ts';

export const adminAudit: typeof source = {
  title: '审计',
  time: '时间',
  actor: '操作者',
  action: '操作',
  target: '对象',
  changes: '变更前 → 变更后',
  reason: '原因',
  actorHint: '邮箱、ID 或 system',
  targetHint: 'ID、邮箱或设置名称',
  empty: '还没有任何更改。',
  nothing: '没有符合条件的更改。',
  listFailed: '无法加载审计记录',
  filterOf: (name, value) => `${name}：${value}`,
  moreFilters: '更多筛选',
  zone: '时区',
  nothingBefore: '无',
};
