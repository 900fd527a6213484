import type { QrCode } from '../../../platform/qr-code.js'

/** Sequences that switch to black on white, which scanners can read on any terminal, and back. */
const INK = '\u001b[30;107m'
const END = '\u001b[0m'

/**
 * A QR code as text; each line shows two rows of modules. Without colours, the light modules are drawn,
 * because most terminals are dark.
 */
export function qrText(code: QrCode, hasColour: boolean): string {
  const lines: string[] = []
  for (let y = 0; y < code.length; y += 2) {
    const line = (code[y] ?? []).map((upper, x) =>
      block(upper === hasColour, isDark(code, x, y + 1) === hasColour),
    )
    lines.push(hasColour ? `${INK}${line.join('')}${END}` : line.join(''))
  }
  return `${lines.join('\n')}\n`
}

function isDark(code: QrCode, x: number, y: number): boolean {
  return code[y]?.[x] ?? false
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀'
  return lower ? '▄' : ' '
}
