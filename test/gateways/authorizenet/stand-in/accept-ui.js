/*
 * A substitute for AcceptUI.js. It finds the page's button when the page is loaded. A click shows the hosted form from
 * Authorize.Net’s origin in a frame. The answer is passed to the global function that the button names. Like the
 * original, it adds a style sheet to the page, which a strict Content-Security-Policy blocks.
 */
{
  const { origin } = new URL(document.currentScript.src)
  const begin = () => {
    const [button] = document.getElementsByClassName('AcceptUI')
    const settings = {
      apiLoginID: button.getAttribute('data-apiLoginID'),
      clientKey: button.getAttribute('data-clientKey'),
      button: button.getAttribute('data-acceptUIFormBtnTxt'),
      header: button.getAttribute('data-acceptUIFormHeaderTxt'),
    }
    const handler = button.getAttribute('data-responseHandler')
    const answer = (response) => window[handler](response)
    const style = document.createElement('style')
    style.textContent = '#AcceptUIContainer.show { top: 50% }'
    document.head.append(style)
    const container = document.createElement('div')
    container.id = 'AcceptUIContainer'
    const background = document.createElement('div')
    background.id = 'AcceptUIBackground'
    const frame = document.createElement('iframe')
    frame.style.setProperty('width', '100%')
    frame.style.setProperty('height', '288px')
    container.append(frame)
    const show = (isShown) => {
      container.className = isShown ? 'show' : ''
      background.className = isShown ? 'show' : ''
    }
    const load = () => {
      frame.src = `${origin}/v3/acceptMain/acceptMain.html#${encodeURIComponent(JSON.stringify({ verifyOrigin: 'AcceptUI', type: 'SYNC', pktData: location.origin }))}`
    }
    document.body.append(background, container)
    load()
    addEventListener('message', ({ origin: from, source, data }) => {
      if (from !== origin || source !== frame.contentWindow || data?.verifyOrigin !== 'AcceptMain') return
      if (data.type === 'ACK')
        frame.contentWindow.postMessage({ verifyOrigin: 'AcceptUI', type: 'INIT', pktData: settings }, origin)
      if (data.type !== 'RESPONSE' && data.type !== 'CLOSE_IFRAME') return
      show(false)
      load()
      if (data.type === 'RESPONSE') answer(data.pktData)
    })
    button.addEventListener('click', (event) => {
      event.preventDefault()
      // The original requires HTTPS. Like browsers, this substitute accepts pages of this machine as equally safe.
      if (!isSecureContext)
        return answer({
          messages: {
            resultCode: 'Error',
            message: [{ code: 'E_WC_02', text: 'A HTTPS connection is required.' }],
          },
        })
      show(true)
    })
  }
  if (document.readyState === 'complete') begin()
  else document.addEventListener('readystatechange', () => document.readyState === 'complete' && begin())
}
