import { markRail } from './mark-rail.js'
import type { RailKind } from './rail-kind.js'

/** Milliseconds for which a nonce is used: a minute less than Authorize.Net accepts it. */
const NONCE_LIFE = 14 * 60 * 1000

interface AcceptUiAnswer {
  readonly messages: { readonly resultCode: string; readonly message: readonly { readonly text: string }[] }
  readonly opaqueData: { readonly dataDescriptor: string; readonly dataValue: string }
  readonly encryptedCardData?: { readonly cardNumber?: string }
}

declare global {
  interface Window {
    /** Called by AcceptUI with what the payer has entered. */
    acceptNonce?: (answer: AcceptUiAnswer) => void
  }
}

/** The nonce of each box, and the time until which it is used. */
const nonces = new WeakMap<HTMLElement, { readonly token: string; readonly until: number }>()

/**
 * Authorize.Net's hosted form AcceptUI, opened by a button in a box of the page. It returns a nonce that can be charged
 * once, within 15 minutes. Its script finds the button only while loading, so the script is loaded again for each box.
 */
export const acceptFields: RailKind = {
  isLoadedAnew: true,
  prepare(box) {
    // Authorize.Net refuses pages over plain HTTP. Browsers treat pages of this machine as secure, too.
    if (!isSecureContext) throw new Error('AcceptUI needs HTTPS')
    const button = box.querySelector('.AcceptUI')
    nonces.delete(box)
    window.acceptNonce = ({ messages, opaqueData, encryptedCardData }) => {
      const [problem] = messages.resultCode === 'Ok' ? [] : messages.message
      markRail(box, 'card_number', problem?.text)
      if (problem) return
      const { dataDescriptor, dataValue } = opaqueData
      nonces.set(box, { token: `${dataDescriptor}/${dataValue}`, until: Date.now() + NONCE_LIFE })
      const digits = String(encryptedCardData?.cardNumber ?? '').slice(-4)
      if (button) button.textContent = (box.dataset['entered'] ?? '').replace('{digits}', digits)
    }
  },
  mount: async (box) => ({
    focus: () => box.querySelector<HTMLElement>('.AcceptUI')?.focus(),
    async token() {
      const nonce = nonces.get(box)
      if (nonce && Date.now() < nonce.until) return { token: nonce.token }
      return { problem: box.dataset['again'] ?? '', at: 'card_number' }
    },
  }),
}
