/**
 * Authorize.Net's hosted form AcceptUI, opened by a button in a box of the page. It returns a nonce that can be charged
 * once, within 15 minutes. Its script finds the button only while loading, so the script is loaded again for each box.
 */
export const ACCEPT_FIELDS = `
/** Milliseconds for which a nonce is used: a minute less than Authorize.Net accepts it. */
const NONCE_LIFE = 14 * 60 * 1000

railFields.accept = {
  isLoadedAnew: true,
  prepare(box) {
    // Authorize.Net refuses pages over plain HTTP. Browsers treat pages of this machine as secure, too.
    if (!isSecureContext) throw new Error('AcceptUI needs HTTPS')
    const button = box.querySelector('.AcceptUI')
    box.acceptNonce = undefined
    window.acceptNonce = (answer) => {
      const [problem] = answer.messages.resultCode === 'Ok' ? [] : answer.messages.message
      markRail(box, 'card_number', problem && problem.text)
      if (problem) return
      const { dataDescriptor, dataValue } = answer.opaqueData
      box.acceptNonce = { token: dataDescriptor + '/' + dataValue, until: Date.now() + NONCE_LIFE }
      const digits = String(answer.encryptedCardData?.cardNumber ?? '').slice(-4)
      button.textContent = box.dataset.entered.replace('{digits}', digits)
    }
  },
  mount: (box) => ({
    focus: () => box.querySelector('.AcceptUI').focus(),
    async token() {
      const { acceptNonce: nonce } = box
      if (nonce && Date.now() < nonce.until) return { token: nonce.token }
      return { problem: box.dataset.again, at: 'card_number' }
    },
  }),
}
`
