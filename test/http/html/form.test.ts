import { expect } from 'chai'
import { button, checkbox, choices, form, hidden, notice, textField } from '../../../src/http/html/form.js'

describe('elements of a form', () => {
  it('link a label, a hint and an error to their field', () => {
    const { text } = textField({
      name: 'expiry',
      label: 'Expiry <date>',
      hint: 'MM/YY',
      error: 'Is over',
      value: '"01/20"',
      inputmode: 'numeric',
      autocomplete: 'cc-exp',
      hasFocus: true,
      required: true,
    })
    expect(text).to.equal(`<div class="field">
<label for="field-expiry" dir="auto">Expiry &#60;date&#62;</label>
<p class="hint" id="field-expiry-hint">MM/YY</p>
<p class="error" id="field-expiry-error">Is over</p>
<input id="field-expiry" name="expiry" type="text" value="&#34;01/20&#34;" inputmode="numeric" autocomplete="cc-exp" required aria-describedby="field-expiry-hint field-expiry-error" aria-invalid="true" autofocus>
</div>
`)
  })

  it('have no attribute without a purpose', () => {
    expect(textField({ name: 'city', label: 'City' }).text).to.not.match(
      /aria|value|required|focus|hint|error/,
    )
  })

  it('let people choose, tick and send', () => {
    const options = [
      { value: 'a', label: 'First' },
      { value: 'b', label: 'Second', hint: 'slow' },
    ]
    const { text } = choices({ name: 'way', label: 'Way', options, chosen: 'b', error: 'Required' })
    expect(text)
      .to.include('<fieldset id="field-way" aria-describedby="field-way-error">')
      .and.include('<legend>Way</legend>')
      .and.include('<input type="radio" name="way" value="b" checked><span>Second<span>slow</span></span>')
    expect(checkbox('keep', { value: 'yes', label: 'Keep' }, true).text).to.include(
      '<input type="checkbox" name="keep" value="yes" checked>',
    )
    expect(button('Deny', { name: 'answer', value: 'deny', quiet: true }).text).to.equal(
      '<button type="submit" name="answer" value="deny" class="quiet">Deny</button>\n',
    )
    expect(notice('problem', 'No <b>').text).to.equal(
      '<div class="notice problem" role="alert"><p>No &#60;b&#62;</p></div>\n',
    )
  })

  it('are posted with a token', () => {
    expect(hidden('id', '"').text).to.equal('<input type="hidden" name="id" value="&#34;">')
    expect(form('/here?a=1&b=2', 'token', button('Send')).text).to.equal(
      `<form method="post" action="/here?a=1&#38;b=2" novalidate>
<input type="hidden" name="form_token" value="token">
<button type="submit">Send</button>

</form>`,
    )
  })
})
