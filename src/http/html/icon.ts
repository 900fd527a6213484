/** The picture of browser tabs: a card, 32 by 32 pixels. */
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAgMAAAAOFJJnAAAACVBMVEUAAAAKX1D///9TCLsMAAAAA3RSTlMA//9EUNYhAAAAWUlEQVR42mNgYAwFAgcGBoZQMGCACICEWCGMAAZRCCMECyMUChhCw1YBwVQgIwrEWApkZIEYK5EZcMWYDEzFCAbIbFQGhhq4pXBnwEzG43i4B+FehgcCLFgAfZ9jVJ8SCYQAAAAASUVORK5CYII='

/** The icon as an address, for pages that load no files. */
export const ICON_URL = `data:image/png;base64,${PNG}`

/** The icon as the file that browsers request by themselves: one picture in the container of `.ico`. */
export function iconFile(): Buffer {
  const png = Buffer.from(PNG, 'base64')
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(32, 6)
  head.writeUInt8(32, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
