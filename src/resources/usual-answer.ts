/**
 * What answers usually say. Stored answers are packed by pointing into this text, which is therefore never changed: what
 * another text would spare comes with a number of its own.
 */
export const USUAL_ANSWER = [
  '{"object":"error","error_type":"TransactionDeclined","error_description":"Declined","details":{',
  '{"object":"list","values":[',
  '"description":"Mastercard ending in ","card_brand":"mastercard","card_type":"debit","type":"refund","payment_type":',
  '"bank_account":{"account_class":"personal","account_number":"xxxxxx","account_type":"checking","routing_number":"xxxxxx"}',
  '"funding_status":"processed","status":"authorized","status_code":"insufficient_bal","risk_flag":"in_review","avs":"street_and_zip"',
  '{"id":"txn_","object":"transaction","amount":10.00,"avs":"zip","customer_id":null,"description":null,"fee":1.17,',
  '"funding_status":"pending","order_number":null,"payment_method":{"id":"pm_","object":"payment_method",',
  '"account_holder":"","account_id":null,"default_payment_method":null,"description":"Visa ending in ",',
  '"legal_entity":null,"phone_number":null,"processing_agreement":null,"type":"card","keep_active":true,',
  '"bank_account":null,"billing_address":{"city":null,"country_code":null,"postal_code":"","state_province":null,',
  '"street_address":null,"unit_number":null},"card":{"card_brand":"visa","card_number":"xxxxxxxxxxxx",',
  '"card_type":"credit","expiry":""},"attrs":null,"created_at":"2026-","modified_at":"2026-"},',
  '"payment_method_id":"pm_","processed_date":"2026-","processing_id":"acct_","reader_id":null,"ref_number":"",',
  '"risk_flag":"allowed","risk_score":0,"source":"keyed","status":"processed","status_code":"approved",',
  '"status_message":"Approved","type":"payment","order_details":null,"shipping_details":null,"attrs":null,',
  '"created_at":"2026-","modified_at":"2026-"}',
].join('')

/**
 * The answers that most payments by card get, approved and declined. What differs from one payment to the next stands
 * between < and >, with what it is mostly. Stored answers name only that, so these texts are never changed either.
 */
export const USUAL_PAYMENT = [
  '{"id":"txn_<>","object":"transaction","amount":<>,"avs":<"zip">,"customer_id":<null>,"description":<null>,"fee":<0>,',
  '"funding_status":<"pending">,"order_number":<null>,"payment_method":{"id":"pm_<>","object":"payment_method",',
  '"account_holder":<null>,"account_id":<null>,"default_payment_method":<null>,"description":"<Visa> ending in <>",',
  '"legal_entity":<null>,"phone_number":<null>,"processing_agreement":<null>,"type":"card","keep_active":<true>,',
  '"bank_account":null,"billing_address":{"city":<null>,"country_code":<null>,"postal_code":"<>","state_province":<null>,',
  '"street_address":<null>,"unit_number":<null>},"card":{"card_brand":<"visa">,"card_number":"xxxxxxxxxxxx<>",',
  '"card_type":<"credit">,"expiry":"<>"},"attrs":<null>,"created_at":"<>","modified_at":"<>"},',
  '"payment_method_id":"pm_<>","processed_date":<null>,"processing_id":"acct_<>","reader_id":<null>,"ref_number":"<>",',
  '"risk_flag":<"allowed">,"risk_score":<0>,"source":<"keyed">,"status":<"processed">,"status_code":<"approved">,',
  '"status_message":<"Approved">,"type":"payment","order_details":<null>,"shipping_details":<null>,"attrs":<null>,',
  '"created_at":"<>","modified_at":"<>"}',
].join('')

/** The same of a card without an address. */
export const USUAL_BARE_PAYMENT = USUAL_PAYMENT.replace(/("billing_address":){.*?}/, '$1null')

/** The same as the first of a declined one. */
export const USUAL_DECLINE = [
  '{"object":"error","error_type":"TransactionDeclined","error_description":<"Declined">,"details":',
  USUAL_PAYMENT.replace('<"pending">', '<null>')
    .replace('<"processed">', '<"declined">')
    .replace('<"approved">', '<"insufficient_bal">')
    .replace('<"Approved">', '<"Declined">'),
  '}',
].join('')
