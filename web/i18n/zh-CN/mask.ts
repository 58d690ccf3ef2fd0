import type { mask as english } from '../en/mask.ts';
import { chinese } from '../words.ts';

export const mask: typeof english = {
  title: '蒙版',
  canvas: '要涂画的图片',
  canvasHelp: '涂出可以改动的部分。不用指针时，可使用“添加区域”或上传蒙版。方向键移动图片。',
  tools: {
    label: '工具',
    brush: '画笔',
    eraser: '橡皮',
    rectangle: '矩形',
    pan: '平移',
  },
  rectangleHelp: '拖动，或依次点击两个角。',
  size: '大小',
  undo: '撤销',
  redo: '重做',
  invert: '反选',
  clear: '清除',
  fit: '适合窗口',
  full: '按 100% 显示',
  zoomIn: '放大',
  zoomOut: '缩小',
  percent: (share) => `${chinese.number(Math.round(share * 100))}%`,
  zoom: (percent) => `缩放 ${percent}`,
  overlay: '蒙版浓度',
  original: '显示原图',

  region: {
    title: '添加区域',
    x: '左',
    y: '上',
    width: '宽',
    height: '高',
    unit: '单位',
    add: '添加区域',
    remove: '去除区域',
    added: '已添加区域。',
    removed: '已去除区域。',
    errors: {
      number: '请输入数字。',
      empty: '必须大于 0。',
      outside: '在图片之外。',
    },
  },

  upload: {
    title: '上传蒙版',
    help: '透明的部分可以改动；如果图片没有透明度，则为浅色的部分。',
    button: '选择文件',
    noImage: '此浏览器无法将该文件读取为图片。',
    tooLarge: '文件大于 20 MB。',
    empty: '该文件没有标出任何可以改动的部分。',
  },

  coverage: (share) => `${coveragePercent(share)} 将会改动`,
  covered: {
    none: '请先涂画。现在不会有任何改动。',
    all: '整张图片都会改动。要保留某处，请在那里擦除。',
  },
  guides: '蒙版只是引导模型，其他区域仍可能改变。',
  keepOutside: '保留蒙版以外的像素',
  keepOutsideHelp: '结果与原图长宽比相同时，由此浏览器从原图恢复。两个版本都会保留。',
  feather: '羽化',

  cancel: '取消',
  save: '保存蒙版',
  saveFailed: '无法生成蒙版。请重试。',
  discard: {
    title: '放弃更改？',
    text: '上次保存蒙版之后所作的更改将会丢失。',
    confirm: '放弃更改',
  },
};

function coveragePercent(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return '不到 0.1%';
  if (percent < 100 && percent > 99.9) return '超过 99.9%';
  return `${chinese.number(percent < 10 ? Math.round(percent * 10) / 10 : Math.round(percent))}%`;
}
