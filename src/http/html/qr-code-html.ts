import { qrCode } from '../../platform/qr-code.js'
import { type Html, html } from './html.js'

/** Light modules around the dark ones, as the standard asks for. */
const BORDER = 4
/** Pixels of a module if neither the page nor the printer sets a size. */
const MODULE = 8

/** The QR code of a text as a drawing, in a page or as a file of its own. Black on white, also in dark pages. */
export function qrCodeHtml(text: string, title: string): Html {
  const code = qrCode(text, BORDER)
  const size = code.length
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="qr" width="${size * MODULE}" height="${size * MODULE}" viewBox="0 0 ${size} ${size}" role="img" shape-rendering="crispEdges"><title>${title}</title><rect width="${size}" height="${size}" fill="#fff"></rect><path fill="#000" d="${code.map(rowPath).join('')}"></path></svg>`
}

/** The dark modules of a row: a rectangle for each run. */
function rowPath(row: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < row.length; x++) {
    if (!row[x]) continue
    const start = x
    while (row[x + 1]) x++
    const width = x - start + 1
    path += `M${start} ${y}h${width}v1h-${width}z`
  }
  return path
}
