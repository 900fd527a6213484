/**
 * The script of the last page of a pop-up of OAuth. Sends the outcome to the window that opened it, if that window still
 * shows a page of the origin. Then closes this window.
 */
const { origin = '', outcome = '{}' } = document.getElementById('outcome')?.dataset ?? {}
const opener: Window | null = window.opener
if (opener) {
  const { state, ...answer } = JSON.parse(outcome)
  opener.postMessage({ ...answer, payctl: state }, origin)
  window.close()
}

export {}
