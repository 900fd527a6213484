/*
 * A substitute for Accept.js. It sends a card number to Authorize.Net’s origin with the account’s public key. The nonce
 * is passed to a function, or to the global function with the given name. Every value must be a string, because the
 * original fails otherwise.
 */
{
  const { origin } = new URL(document.currentScript.src)
  const problem = (code, text) => ({ messages: { resultCode: 'Error', message: [{ code, text }] } })

  const check = ({ authData, cardData }) => {
    // The original requires HTTPS. Like browsers, this substitute accepts pages of this machine as equally safe.
    if (!isSecureContext) return problem('E_WC_02', 'A HTTPS connection is required.')
    const given = [authData?.apiLoginID, authData?.clientKey, ...Object.values(cardData ?? {})]
    if (given.some((value) => typeof value !== 'string'))
      return problem('E_WC_04', 'Please provide mandatory field to library.')
    const { cardNumber, month, year, cardCode } = cardData
    if (!/^\d{13,16}$/.test(cardNumber)) return problem('E_WC_05', 'Please provide valid credit card number.')
    if (!/^(0?[1-9]|1[0-2])$/.test(month)) return problem('E_WC_06', 'Please provide valid expiration month.')
    if (!/^(\d\d|\d{4})$/.test(year)) return problem('E_WC_07', 'Please provide valid expiration year.')
    if (cardCode !== undefined && !/^\d{3,4}$/.test(cardCode))
      return problem('E_WC_15', 'Please provide valid CVV.')
    return undefined
  }

  const send = async ({ authData, cardData }) => {
    const { cardNumber, month, year, cardCode } = cardData
    const token = {
      cardNumber,
      expirationDate: `${month.padStart(2, '0')}${year.padStart(4, '20')}`,
      cardCode,
    }
    const request = {
      securePaymentContainerRequest: {
        merchantAuthentication: { name: authData.apiLoginID, clientKey: authData.clientKey },
        data: { type: 'TOKEN', id: crypto.randomUUID(), token },
      },
    }
    const answer = await fetch(`${origin}/xml/v1/request.api`, {
      method: 'POST',
      body: JSON.stringify(request),
    })
    const { messages, opaqueData } = JSON.parse((await answer.text()).replace(/^\uFEFF/, ''))
    return messages.resultCode === 'Ok' ? { messages, opaqueData } : { messages }
  }

  window.Accept = {
    dispatchData(secureData, responseHandler) {
      const answer = typeof responseHandler === 'function' ? responseHandler : window[responseHandler]
      const wrong = check(secureData)
      if (wrong) answer(wrong)
      else
        send(secureData).then(answer, () =>
          answer(problem('E_WC_19', 'An error occurred during processing. Please try again.')),
        )
    },
  }
}
