import type { service as source } from '../en/service.ts';

export const service: typeof source = {
  // Signing in, and opening an account.
  'The e-mail address or the password is wrong.': '邮箱或密码错误。',
  'The password is wrong.': '密码错误。',
  'The code is wrong, or was used already.': '验证码错误，或已使用过。',
  'The code is wrong. Is the clock of the app right?': '验证码错误。应用所在设备的时间是否准确？',
  'That took too long. Enter your password again.': '用时过长，请重新输入密码。',
  'This passkey was not accepted. Try again.': '此通行密钥未被接受，请重试。',
  'This passkey is registered already.': '此通行密钥已添加过。',
  'Too many tries. Wait a little, then try again.': '尝试次数过多，请稍候再试。',
  'Too many people are signing in. Try again.': '正在登录的人过多，请重试。',
  'You are not signed in.': '您尚未登录。',
  'This needs the role admin.': '此操作需要管理员角色。',
  'This needs the role admin, which was taken from you.':
    '此操作需要管理员角色，而您已不再是管理员。',
  'A password must have {min} to {max} characters.': '密码须有 {min} 到 {max} 个字符。',
  'The password must not be the e-mail address.': '密码不能与邮箱相同。',
  'Give your e-mail address.': '请填写您的邮箱。',
  '"{text}" is not an e-mail address.': '“{text}”不是邮箱地址。',
  'A name has 1 to {max} printable characters.': '名称须有 1 到 {max} 个可见字符。',
  'This link has been used or is too old. Ask for another one.':
    '此链接已使用过或已过期，请重新索取。',
  'This invitation has been used, taken back, or is too old. Ask for another.':
    '此邀请已使用过、已被撤回或已过期，请重新索取。',
  'This setup link has been used or is too old. The service prints another when it starts.':
    '此设置链接已使用过或已过期。服务启动时会输出新的链接。',
  'Accounts are opened by an administrator here.': '这里由管理员开通账户。',
  'There is an authenticator already: remove it first.': '已设置身份验证器，请先将其移除。',
  'There are {max} passkeys: remove one first.': '已有 {max} 个通行密钥，请先移除一个。',
  'There are {max} access tokens: revoke one first.': '已有 {max} 个访问令牌，请先吊销一个。',
  'This is no time zone; use a name such as Europe/Berlin.':
    '这不是时区，请使用 Asia/Shanghai 之类的名称。',

  // API keys.
  'The key would have expired already.': '这样密钥现在就已过期。',
  'What a key may spend must be greater than zero.': '密钥的支出上限必须大于零。',
  'Each address is an IP address such as 203.0.113.7, or a range such as 10.0.0.0/8.':
    '每个地址应为 203.0.113.7 之类的 IP 地址，或 10.0.0.0/8 之类的地址段。',
  'At most {max} addresses are accepted.': '最多接受 {max} 个地址。',
  'A user has at most {max} API keys: revoke one.':
    '每个用户最多有 {max} 个 API 密钥，请先删除一个。',
  'The key was rotated again meanwhile: reload the list of keys.':
    '此密钥期间又被轮换过，请重新加载密钥列表。',
  'A revoked key stays revoked.': '已删除的密钥无法恢复。',

  // Money.
  'This is no code: look for a typing mistake.': '这不是兑换码，请检查是否输错。',
  'There is no such code.': '没有这个兑换码。',
  'You have redeemed this code already.': '您已兑换过此兑换码。',
  'This code has been redeemed already.': '此兑换码已被兑换。',
  'This code was withdrawn.': '此兑换码已被撤回。',
  'This code has expired.': '此兑换码已过期。',
  'A top-up is between {least} and {most}.': '每次充值的金额在 {least} 到 {most} 之间。',
  'The payment service does not answer. Try again.': '支付服务没有响应，请重试。',
  'The payment service refuses to take payments. Tell whoever runs this installation: its log says why.':
    '支付服务拒绝收款。请告知本系统的运营者，日志中有原因。',
  'The payment service takes no such amount.': '支付服务不接受此金额。',
  'You have begun several payments and finished none. Use the page that you opened, or wait an hour.':
    '您已发起多笔付款而均未完成。请使用已打开的付款页面，或等待一小时。',
  'A statement has at most {max} entries: choose a shorter time.':
    '一份账单最多有 {max} 条记录，请缩短时间范围。',
  'The amount must be greater than zero.': '金额必须大于零。',
  'A top-up must be greater than zero.': '充值金额必须大于零。',
  'An adjustment of zero changes nothing.': '调整金额为零，余额不会改变。',
  'The balance is {balance} already.': '余额已经是 {balance}。',
  'The balance would be {after}, and it cannot fall below zero: there is {balance}.':
    '余额会变为 {after}，而余额不能低于零：现有 {balance}。',
  'The balance would be {after}, less than the {held} held for running requests (balance {balance}, available {available}).':
    '余额会变为 {after}，低于为进行中的请求冻结的 {held}（余额 {balance}，可用 {available}）。',
  'The balance would be too large.': '余额会过大。',
  'A refund must be greater than zero.': '退款金额必须大于零。',
  'A refund of {amount} is more than the charge of {charge}.':
    '退款 {amount} 超过了扣费 {charge}。',

  // Administration.
  'There is already a user with the address {email}.': '邮箱 {email} 已被其他用户使用。',
  'There is already an upstream called {name}.': '已有名为 {name} 的上游。',
  'There is already a key called {name}.': '已有名为 {name} 的密钥。',
  'There is already a model {id}.': '已有模型 {id}。',
  'There is no user {user}.': '没有用户 {user}。',
  'There is no model {id}.': '没有模型 {id}。',
  'There is no upstream {upstream}.': '没有上游 {upstream}。',
  'A price must be greater than zero.': '价格必须大于零。',
  'A price must be at most {max}.': '价格最高为 {max}。',
  'A model ID has up to 100 letters, digits, dots, colons, dashes and underscores. It begins with a letter or digit.':
    '模型 ID 最多 100 个字符，可用字母、数字、点、冒号、连字符和下划线，并以字母或数字开头。',
  'An upstream name has up to 63 letters, digits, dots, dashes and underscores. It begins with a letter or digit, and not with up_.':
    '上游的名称最多 63 个字符，可用字母、数字、点、连字符和下划线，以字母或数字开头，且不能以 up_ 开头。',
  'The name of a key has up to 63 letters, digits, dots, dashes and underscores. It begins with a letter or digit.':
    '密钥的名称最多 63 个字符，可用字母、数字、点、连字符和下划线，并以字母或数字开头。',
  'The base URL must begin with http:// or https://.': '基础地址必须以 http:// 或 https:// 开头。',
  'The base URL must not contain a user, password, query or fragment.':
    '基础地址不能包含用户名、密码、查询参数或片段。',
  'A proxy is http:// or https://, a host, and nothing behind it but a port.':
    '代理地址为 http:// 或 https:// 加主机名，其后只能有端口。',
  'An upstream of kind {kind} needs a credential.': '{kind} 类型的上游需要凭据。',
  'An upstream of kind {kind} takes no credential.': '{kind} 类型的上游不使用凭据。',
  '{url} is an example: give the base URL that your account has.':
    '{url} 只是示例，请填写您账户的基础地址。',
  'The upstream failed ({how}): {why}.': '上游出错（{how}）：{why}。',
  'You cannot take this from yourself: ask another administrator.':
    '您不能对自己这样做，请联系另一位管理员。',
  'This is not the e-mail address of the user.': '这不是该用户的邮箱。',
  'This user has requests running. Disable the user, wait, and try again.':
    '此用户有进行中的请求。请停用该用户，等待后重试。',
  'There are {max} open invitations: take some back first.':
    '已有 {max} 个待接受的邀请，请先撤回一些。',
  'A reason must have at most {max} characters.': '原因最多 {max} 个字符。',
  'Codes must expire in the future, and within ten years.':
    '兑换码的过期时间须在将来，且不超过十年。',

  // Images.
  'The image service declined this prompt or picture. Nothing was charged. Change the prompt.':
    '图片服务拒绝了此提示词或图片。没有扣费。请修改提示词。',
  'The image service found a field of this request invalid. Nothing was charged.':
    '图片服务认为此请求中有一项无效。没有扣费。',
  'The image service found {field} of this request invalid. Nothing was charged.':
    '图片服务认为此请求的 {field} 无效。没有扣费。',
  'No upstream of this model is free now. Nothing was charged. Try again.':
    '此模型的上游目前都忙。没有扣费。请重试。',
  'No upstream of this model can do what this request asks for. Nothing was charged.':
    '此模型的上游都无法完成此请求。没有扣费。',
  'No upstream of this model works as it is configured. An administrator can change that.':
    '此模型的上游按当前配置都无法工作。管理员可以更改配置。',
  'This model has no enabled price or is not selected in an upstream. An administrator can change that.':
    '此模型没有启用的价格，或没有被任何上游选用。管理员可以更改。',
  'This model only edits pictures.': '此模型只能编辑图片。',
  'This model cannot edit pictures.': '此模型不能编辑图片。',
  'This model cannot use a mask.': '此模型不接受蒙版。',
  'This model cannot make a transparent background.': '此模型不能生成透明背景。',
  'This model does not offer this quality.': '此模型不提供此质量。',
  'This model takes one reference image at most.': '此模型最多接受 1 张参考图。',
  'This model takes at most {most} reference images.': '此模型最多接受 {most} 张参考图。',
  'This model needs at least {least} reference images.': '此模型至少需要 {least} 张参考图。',
  'Together with a mask, this model takes one reference image at most.':
    '使用蒙版时，此模型最多接受 1 张参考图。',
  'Together with a mask, this model takes at most {most} reference images.':
    '使用蒙版时，此模型最多接受 {most} 张参考图。',
  'This model has each of these, but not together: {fields}. Leave one out.':
    '此模型支持以下各项，但不能同时使用：{fields}。请去掉其中一项。',
  'With a mask, this model needs a size of the proportions of the first reference image, or auto.':
    '使用蒙版时，此模型的尺寸须与第一张参考图的比例相同，或为自动。',
  'With a mask, this model made a picture of other proportions than the first reference image. Nothing was charged. Cut the image and the mask to the proportions of a size, and name that size.':
    '使用蒙版时，此模型生成的图片与第一张参考图比例不同。没有扣费。请将图片和蒙版裁剪为某个尺寸的比例，并选择该尺寸。',
  'The mask must be a PNG with an alpha channel.': '蒙版必须是带透明通道的 PNG。',
  'The mask must have the same size in pixels as the first image.':
    '蒙版的像素尺寸必须与第一张图片相同。',
  'The service is stopping. Nothing was charged. Try again.': '服务正在停止。没有扣费。请重试。',

  // Its notes of what it did with a wallet.
  'not delivered': '未送达',
  'forfeited when the account was erased': '清除个人数据时放弃的余额',
  '{provider}, payment {id}': '{provider} 付款 {id}',
  '{provider}, refund of payment {id}': '{provider} 退款，付款 {id}',
  '{provider}, failed refund of payment {id}': '{provider} 退款未成功，付款 {id}',
  '{provider}, dispute of payment {id}': '{provider} 争议，付款 {id}',
};
