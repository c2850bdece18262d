export const FIREFOX_PREFERENCES = {
  // Firefox chooses the port of Marionette.
  'marionette.port': 0,
  // Passkeys of the virtual authenticator, not of a USB stick.
  'security.webauth.webauthn_enable_softtoken': true,
  'security.webauth.webauthn_enable_usbtoken': false,
  // Without animations, clicks do not wait.
  'ui.prefersReducedMotion': 1,
}
