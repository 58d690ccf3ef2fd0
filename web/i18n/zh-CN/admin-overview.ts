import type { adminOverview as source } from '../en/admin-overview.ts';
import { chinese } from '../words.ts';

export const adminOverview: typeof source = {
  title: '概览',
  readiness: '就绪清单',
  progress: (done, all) => `已完成 ${chinese.number(done)} / ${chinese.number(all)}`,
  done: (count) => `已完成 ${chinese.number(count)} 项`,
  states: { done: '已完成', open: '待完成', unknown: '待测试', not_needed: '不需要' },
  items: {
    admin_account: { name: '管理员账户', why: '需要有人照看这个服务。', fix: '添加用户' },
    upstream_connected: { name: '已连接上游', why: '图片由上游生成。', fix: '连接上游' },
    model_list_chosen: {
      name: '已选择模型列表',
      why: '每个模型都需要上游列表中的一个条目来提供服务。',
      fix: '从列表中选择',
    },
    price_enabled: {
      name: '已定价并启用',
      why: '模型需要有价格，并且处于启用状态。',
      fix: '设置价格',
    },
    model_available: {
      name: '有模型可供用户使用',
      why: '只有两个条件都满足的模型才能被请求。',
      fix: '查看缺少什么',
    },
    wallet_funded: { name: '钱包已充值', why: '余额不足时请求会被拒绝。', fix: '充值' },
    key_created: { name: '已创建 API 密钥', why: '程序调用 API 需要密钥。', fix: '创建密钥' },
    first_picture: {
      name: '已生成第一张图片',
      why: '成功生成一张图片，说明各部分配合正常。',
      fix: '生成图片',
    },
    https: {
      name: '通过 HTTPS 提供服务',
      why: '否则密码和密钥可能在传输途中被读取。',
      fix: '在前面放置带证书的代理，并设置 TINTYPE_TRUSTED_PROXIES。',
    },
    base_url: {
      name: '已设置服务地址',
      why: '邮件和示例中的链接需要服务的地址。',
      fix: '将 TINTYPE_PUBLIC_URL 设为人们输入的地址，然后重新启动。',
    },
    proxy_streams: {
      name: '代理可保持 150 秒的流',
      why: '会切断长响应的代理也会切断图片。',
      fix: '进行测试',
    },
    sandbox_off: {
      name: '已关闭沙盒',
      why: '测试图片会与真实图片一起被出售。',
      fix: '停用沙盒',
    },
  },
  last24h: '最近 24 小时',
  requests: '请求数',
  running: (count) => `${chinese.number(count)} 个进行中`,
  successRate: '成功率',
  successNote: (succeeded) => `${chinese.number(succeeded)} 个成功`,
  spend: '支出',
  spendNote: '所有用户',
  duration: '耗时中位数',
  p90: (duration) => `90% 在 ${duration}内`,
  nothing: '–',
  attention: '需要处理',
  attentionEmpty: '没有需要处理的事项。',
  attentionOf: {
    model_without_price: '没有价格，无人可以使用。',
    model_not_served: '已定价，但没有上游提供服务。',
    upstream_failing: (count) =>
      count === null || count === 0 ? '出现故障。' : `最近 ${chinese.number(count)} 次检查失败。`,
    wallet_empty: (count) =>
      count === null ? '钱包已空。' : `余额不足，${chinese.number(count)} 个请求被拒绝。`,
  },
  codes: '错误代码统计',
  codesEmpty: '没有失败的请求。',
  upstreams: '上游',
  upstreamsEmpty: '还没有上游。',
  addUpstream: '添加上游',
  name: '上游',
  health: '状态',
  checked: '上次检查',
  inFlight: '进行中',
  median: '近 24 小时耗时中位数',
  failed: '无法加载概览',
  readinessFailed: '无法加载就绪清单',
};
