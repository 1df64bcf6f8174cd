/** Texts that somebody may have stored to do harm, or that are hard to show. */
export const hostile = {
  script: '<script>window.harmed = true; alert("script")</script>',
  image: '<img src=x onerror="window.harmed = true">"><svg onload=alert(1)>',
  template: '{{constructor.constructor("window.harmed = true")()}} javascript:alert(1)',
  bidirectional: 'access \u202Eresu si siht\u202C \u2066is\u200Bhidden\u0007',
  arabic: 'انتقلت آدا إلى لشبونة في مايو.',
  long: 'A'.repeat(10_000),
}
