import { encode } from 'uqr'

/** Modules of a QR code, row by row, with a light border; true is dark. */
export type QrCode = readonly (readonly boolean[])[]

/** Makes the QR code of a text, with medium error correction: up to 2,331 bytes. Throws for longer texts. */
export function qrCode(text: string, border: number): QrCode {
  return encode(text, { ecc: 'M', border }).data
}
