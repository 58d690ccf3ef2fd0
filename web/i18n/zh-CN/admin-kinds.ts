import type { adminKinds as source } from '../en/admin-kinds.ts';

export const adminKinds: typeof source = {
  a1111: {
    title: 'AUTOMATIC1111 API',
    description:
      '自建引擎：AUTOMATIC1111、Forge、SD.Next、Draw Things、KoboldCpp、stable-diffusion.cpp',
  },
  'a1111.flavour': {
    title: '引擎',
    description: '由哪个引擎响应。预览和停止任务需要 AUTOMATIC1111 1.8 或更新版本，或 Forge。',
  },
  'a1111.authentication': {
    title: '认证方式',
    description: '凭据的发送方式：user:password（--api-auth）或 bearer 密钥。',
  },
  'a1111.steps.auto': { title: '各质量的步数：自动' },
  'a1111.steps.low': { title: '各质量的步数：低' },
  'a1111.steps.medium': { title: '各质量的步数：中' },
  'a1111.steps.high': { title: '各质量的步数：高' },
  'a1111.steps.xhigh': { title: '各质量的步数：超高' },
  'a1111.steps.max': { title: '各质量的步数：最高' },
  'a1111.cfgScale': { title: 'CFG 强度', description: '图片贴近提示词的程度。留空由引擎决定。' },
  'a1111.sampler': { title: '采样器', description: '引擎列出的名称。留空由引擎决定。' },
  'a1111.scheduler': { title: '调度器', description: '引擎列出的名称。留空由引擎决定。' },
  'a1111.negativePrompt': {
    title: '反向提示词',
    description: '任何图片都不应出现的内容，随每个提示词一起发送。',
  },
  'a1111.clipSkip': {
    title: 'Clip skip',
    description: '跳过文本编码器的最后几层。留空由引擎决定。',
  },
  'a1111.autoSidePixels': {
    title: '自动尺寸的边长',
    description: '尺寸 auto 为此边长的正方形；编辑时为按比例的同等像素数。',
  },
  'a1111.denoising.low': { title: '编辑的重绘强度：输入保真度低或未指定' },
  'a1111.denoising.high': { title: '编辑的重绘强度：输入保真度高' },
  'a1111.edit': {
    title: '提供编辑',
    description: '是否可以提供参考图。模型会忽略参考图时请关闭。',
  },
  'a1111.inpainting.fill': { title: '局部重绘：区域的起始内容' },
  'a1111.inpainting.wholePicture': {
    title: '局部重绘：整张图片',
    description: '关闭时仅以全分辨率重绘该区域及其周围边距。',
  },
  'a1111.inpainting.marginPixels': { title: '局部重绘：边距（像素）' },
  'a1111.inpainting.maskBlurPixels': { title: '局部重绘：蒙版模糊（像素）' },
  'a1111.previews': { title: '预览', description: '在引擎支持时，将其实时预览作为中间图片显示。' },
  'a1111.progressEveryMs': {
    title: '查询进度的间隔（毫秒）',
    description: '多久询问一次引擎任务是否已开始、是否有预览。',
  },
  'a1111.restoreModel': {
    title: '之后恢复模型',
    description: '每张图片后重新加载此前的模型。较慢。',
  },
  'a1111.keepPromptDirectives': {
    title: '保留提示词中的指令',
    description:
      '允许调用方用 <lora:…> 加载 LoRA 等网络，用 __wildcard__ 和 {a|b} 随机选词，并用 AND 成倍增加工作量。',
  },
  'a1111.models': {
    title: '模型',
    description: '按名称为单个模型设置。引擎没有列表时，这些就是它的模型。',
  },
  comfyui: { title: 'ComfyUI', description: 'ComfyUI 服务器上您自己的工作流，预览作为中间图片。' },
  'comfyui.workflows': { title: '工作流', description: '按名称；每个都是一个上游模型。' },
  'comfyui.workflows.output': {
    title: '输出节点',
    description: '给出图片的节点；有多个候选时必须指定，最好是 SaveImageWebsocket。',
  },
  'comfyui.workflows.imagesNeeded': {
    title: '所需参考图数量',
    description: '不足时拒绝；填 0 则有参考图槽位的工作流也可以不带参考图生成。',
  },
  'comfyui.workflows.unusedImages': {
    title: '未使用的参考图槽位',
    description: '再次填入第一张参考图（first），或连同指向它们的连线一起移除（remove）。',
  },
  'comfyui.workflows.maskForm': {
    title: '蒙版形式',
    description:
      '用什么标记要修改的区域：透明像素（LoadImage 的 MASK、LoadImageMask 的 alpha）或白色像素（LoadImageMask 的 red、LoadImage 的 IMAGE）；auto 认识这些节点。',
  },
  'comfyui.workflows.transparent': {
    title: '透明背景',
    description: '该工作流是否生成带透明通道的图片。',
  },
  'comfyui.workflows.qualitySteps.low': { title: '各质量的步数：低' },
  'comfyui.workflows.qualitySteps.medium': { title: '各质量的步数：中' },
  'comfyui.workflows.qualitySteps.high': { title: '各质量的步数：高' },
  'comfyui.workflows.qualitySteps.xhigh': { title: '各质量的步数：超高' },
  'comfyui.workflows.qualitySteps.max': { title: '各质量的步数：最高' },
  'comfyui.workflows.qualitySteps.auto': {
    title: '各质量的步数：自动',
    description: '留空则保持工作流中的步数。',
  },
  'comfyui.workflows.fidelityDenoise.low': { title: '重绘强度：输入保真度低' },
  'comfyui.workflows.fidelityDenoise.high': { title: '重绘强度：输入保真度高' },
  'comfyui.workflows.defaultSize.width': { title: '未指定尺寸时的宽度' },
  'comfyui.workflows.defaultSize.height': { title: '未指定尺寸时的高度' },
  'comfyui.previews': { title: '预览', description: '服务器如何绘制成为中间图片的预览。' },
  'comfyui.queueMax': {
    title: '最长队列',
    description: '排在前面的工作流达到此数时视为繁忙；留空表示不限。',
  },
  'comfyui.queueSecondsMax': {
    title: '最长排队时间（秒）',
    description: '到时仍未开始的工作流会被撤回，服务器视为繁忙。',
  },
  'comfyui.keepPromptDirectives': {
    title: '保留提示词中的指令',
    description:
      '调用方的 <lora:…>、embedding:…、__wildcard__ 和 {a|b} 是否传到节点；否则变为普通文字。',
  },
  'comfyui.eraseFiles': {
    title: '清除文件',
    description: '工作流结束后，用空图片覆盖上传的图片和 SaveImage 节点的文件。',
  },
  sandbox: { title: '沙盒', description: '在本进程内绘制带标签的测试图片，不需要任何服务或密钥。' },
  'sandbox.directives': {
    title: '指令',
    description: '提示词中的 [[name=value]] 是对沙盒的指令还是普通文字。',
  },
  'sandbox.delayMs': {
    title: '延迟（毫秒）',
    description: '每张图片耗时，用于模拟真实引擎的速度。',
  },
  'sandbox.journal': {
    title: '日志文件',
    description: '用于会终止服务的测试：为每个事件写一行的文件。',
  },
  'openai-images': {
    title: 'OpenAI Images',
    description: 'OpenAI 图片接口，以及众多使用类似协议的服务和引擎。',
  },
  'openai-images.dialect': {
    title: '服务',
    description: '具体是哪个服务；不在列表中的选 `generic`。',
  },
  'openai-images.apiVersion': {
    title: 'API 版本',
    description: '查询参数 `api-version`；留空使用服务的默认值。',
  },
  'openai-images.modelNames': {
    title: '已知模型',
    description:
      '用于名称自定的部署和网关：上游模型背后是哪个模型，例如 `{"pictures": "gpt-image-2"}`。它们会加入模型列表。',
  },
  'openai-images.keepPromptDirectives': {
    title: '保留提示词中的指令',
    description: '保留引擎会当作指令的文字。发送提示词的人便可设置步数和尺寸。',
  },
  'openai-images.stream': {
    title: '流式传输',
    description:
      '何时请求事件流：按服务的已知特性、从不、需要中间图片时，或总是（能更早看到上游在工作）。',
  },
  'openai-images.edit': {
    title: '编辑',
    description:
      '参考图的发送方式：`image[]` 部分、`image` 部分、JSON `images`（各带 `image_url`），或生成请求中的 JSON `image`。',
  },
  'openai-images.mask': {
    title: '蒙版',
    description: '用什么标记要修改的像素：透明、白色或黑色。',
  },
  'openai-images.referenceImagesMax': {
    title: '参考图数量',
    description: '最多接受几张；留空按服务的已知特性。',
  },
  'openai-images.formats': {
    title: '格式',
    description: '接受的 `output_format` 值；其他格式在此转换。',
  },
  'openai-images.qualities': { title: '质量', description: '除 auto 外接受的 `quality` 值。' },
  'openai-images.transparent': {
    title: '透明图片',
    description: '是否接受 `background` 为 `transparent`。',
  },
  'openai-images.responseFormat': {
    title: 'response_format',
    description: '在此字段中发送什么；无论返回什么都会读取。',
  },
  'openai-images.auth': {
    title: '凭据请求头',
    description: '`Authorization: Bearer`、`api-key`、`x-api-key`，或不发送。',
  },
  'openai-responses': {
    title: 'OpenAI Responses',
    description: 'Responses 接口的图片工具：中间图片、蒙版，以及修订后的提示词。',
  },
  'openai-responses.hostModel': {
    title: '宿主模型',
    description: '调用图片工具的语言模型；上游模型负责绘图。在 Azure 上为其部署名称。',
  },
  'openai-responses.instructions': {
    title: '给宿主模型的指令',
    description: '默认：原样传递提示词。留空：没有指令，宿主模型会随意改写提示词。',
  },
  'openai-responses.reasoningEffort': {
    title: '宿主模型的推理强度',
    description: '默认由宿主模型决定，也可能影响图片模型。',
  },
  'openai-responses.credentialHeader': {
    title: 'API 密钥的请求头',
    description: 'Azure 使用 api-key，其他服务使用 authorization。',
  },
  'openai-responses.imageModelIn': {
    title: '上游模型写在哪里',
    description:
      '写入图片工具；在 Azure 上写入请求头 x-ms-oai-image-generation-deployment，此时为部署名称。',
  },
  'openai-responses.apiVersion': {
    title: 'API 版本',
    description: '查询参数 `api-version`；留空使用服务的默认值。',
  },
  'openai-responses.modelList': {
    title: '模型列表',
    description: '服务自身列表中名称含 image 的模型，或全部；若其列表无用，则使用下面指定的模型。',
  },
  'openai-responses.namedModels': { title: '指定的模型', description: '留空：OpenAI 的图片模型。' },
  'ai-sdk': {
    title: 'Gemini、Vertex AI、Bedrock、fal、FLUX、Replicate 等',
    description: '拥有各自接口的服务，通过 Vercel AI SDK 的软件包连接。',
  },
  'ai-sdk.provider': { title: '服务', description: '使用哪家的接口；它决定凭据和模型是什么。' },
  'ai-sdk.region': {
    title: '区域',
    description: 'Amazon Bedrock 留空为 us-east-1，Vertex AI 留空为 global。',
  },
  'ai-sdk.project': {
    title: '项目',
    description: '用于使用服务账号的 Vertex AI；留空则为其密钥所属的项目。',
  },
  'ai-sdk.moreModels': {
    title: '更多模型',
    description: '列表中没有的模型。fal、Replicate 等提供的模型多于任何列表。',
  },
  'ai-sdk.tokenUrl': { title: '令牌地址', description: 'Vertex AI 的服务账号获取访问令牌的地址。' },
};
