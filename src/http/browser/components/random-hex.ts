/** Random texts of pages and frames, for components and frames of fields alike; plain JavaScript. */
export const RANDOM_HEX = `
/** 32 random hexadecimal digits; crypto.randomUUID is missing in pages without TLS. */
function randomHex() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
`
