import { findContradiction, readComparable } from '@memory/engine/contradiction/contradiction'
import { describe, expect, it } from 'vitest'

const reasonOf = (one: string, other: string) => findContradiction(readComparable(one), readComparable(other))

/** By language: that one does something no more, by a verb and by a word that says no, and that one still does. */
const habits: readonly (readonly [quit: string, noMore: string, still: string])[] = [
  ['I stopped eating gluten.', 'I no longer eat gluten.', 'I still eat gluten.'],
  ['She gave up coffee.', "She doesn't drink coffee any more.", 'She drinks coffee.'],
  ['He failed to send the letter.', 'He did not send the letter.', 'He sent the letter.'],
  ["J'ai arrêté de boire du café.", 'Je ne bois plus de café.', 'Je bois encore du café.'],
  ['Er hat mit dem Rauchen aufgehört.', 'Er raucht nicht mehr.', 'Er raucht noch.'],
  ['He dejado de fumar.', 'Ya no fumo.', 'Todavía fumo.'],
  ['Ha smesso di fumare.', 'Non fuma più.', 'Fuma ancora.'],
  ['Deixei de fumar.', 'Já não fumo.', 'Ainda fumo.'],
  ['Hij is gestopt met roken.', 'Hij rookt niet meer.', 'Hij rookt nog.'],
  ['Han har slutat röka.', 'Han röker inte längre.', 'Han röker fortfarande.'],
  ['On rzucił palenie.', 'On już nie pali.', 'On nadal pali.'],
  ['Он перестал курить.', 'Он больше не курит.', 'Он всё ещё курит.'],
  ['Він кинув палити.', 'Він більше не палить.', 'Він досі палить.'],
  ['Sigarayı bıraktım.', 'Artık sigara içmiyorum.', 'Hâlâ sigara içiyorum.'],
  ['توقف عن التدخين.', 'لم يعد يدخن.', 'ما زال يدخن.'],
  ['उसने सिगरेट पीना छोड़ दिया।', 'वह अब सिगरेट नहीं पीता।', 'वह अब भी सिगरेट पीता है।'],
  ['他戒烟了。', '他不再抽烟了。', '他还在抽烟。'],
  ['彼はたばこをやめた。', '彼はもうたばこを吸わない。', '彼はまだたばこを吸っている。'],
  ['그는 담배를 끊었다.', '그는 더 이상 담배를 피우지 않는다.', '그는 아직 담배를 피운다.'],
]

describe('verbs that say no', () => {
  it.each(habits)('such as that of %j say what %j says, and not what %j does', (quit, noMore, still) => {
    for (const [one, other] of [
      [quit, noMore],
      [noMore, quit],
    ] as const)
      expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(quit, still)).toBe('negation')
    expect(reasonOf(still, quit)).toBe('negation')
  })

  it.each([
    ['He did not stop smoking.', 'He stopped smoking.'],
    ['Er hat nicht mit dem Rauchen aufgehört.', 'Er hat mit dem Rauchen aufgehört.'],
    ["Il n'a pas arrêté de fumer.", 'Il a arrêté de fumer.'],
    ['Он не перестал курить.', 'Он перестал курить.'],
    ['Sigarayı bırakmadı.', 'Sigarayı bıraktı.'],
    ['他没有戒烟。', '他戒烟了。'],
    ['彼は酒をやめていない。', '彼は酒をやめた。'],
    ['그는 담배를 끊지 않았다.', '그는 담배를 끊었다.'],
    ['उसने पीना नहीं छोड़ा।', 'उसने पीना छोड़ दिया।'],
  ])('are denied in the first of %j and %j alone', (one, other) => {
    expect(reasonOf(one, other)).toBe('negation')
    expect(reasonOf(other, one)).toBe('negation')
  })

  it.each([
    ['He never stopped loving her.', 'He has always loved her.'],
    ["Don't forget to lock the door.", 'Lock the door.'],
    ['The bus stopped at the old building.', 'The bus made a stop at the old building.'],
    ['He stopped by my house this morning.', 'He dropped by my house this morning.'],
    ['Das Konzert hört um zehn auf.', 'Das Konzert endet um zehn.'],
    ['Anahtarı masaya bıraktım.', 'Anahtarı masaya koydum.'],
    ['No one but Rita came.', 'Only Rita came.'],
    ['Everyone except Rita came.', 'Rita was the only one who did not come.'],
  ])('are none in %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it.each([
    ['I quit the choir.', 'I left the choir.'],
    ['He stopped driving buses.', 'He retired from driving buses.'],
    ['I gave up meat.', 'I am a vegetarian.'],
    ['I quit smoking.', 'I am a non-smoker.'],
    ['The bakery ceased trading.', 'The bakery closed down.'],
    ['She forgot to shut the gate.', 'She left the gate open.'],
    ['He declined to come.', 'He rejected the invitation.'],
    ['Il a renoncé à la viande.', 'Il est devenu végétarien.'],
    ['Sie hat aufgehört zu arbeiten.', 'Sie ist in Rente gegangen.'],
    ['Er hat mit dem Rauchen aufgehört.', 'Er ist Nichtraucher.'],
    ['Dejó de trabajar en mayo.', 'Se jubiló en mayo.'],
    ['Ha smesso di lavorare.', 'È andata in pensione.'],
    ['Parou de trabalhar em maio.', 'Aposentou-se em maio.'],
    ['Hij is gestopt met werken.', 'Hij is met pensioen.'],
    ['Hon slutade jobba i maj.', 'Hon gick i pension i maj.'],
    ['Rzucił pracę.', 'Odszedł z pracy.'],
    ['Přestal pracovat v květnu.', 'V květnu odešel do důchodu.'],
    ['Он уволился с завода.', 'Он ушёл с завода.'],
    ['銀行を辞めた。', '銀行を退職した。'],
    ['은행을 그만뒀어요.', '은행을 퇴사했어요.'],
  ])('say the same as other words for an end: %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBeUndefined()
    expect(reasonOf(other, one)).toBeUndefined()
  })

  it.each([
    ['She forgot to shut the gate.', 'She shut the gate.'],
    ['I quit my job.', 'I still have my job.'],
    ['He stopped swimming.', 'He swims every day.'],
    ['Il a arrêté de travailler.', 'Il travaille toujours.'],
    ['Sie hat aufgehört zu arbeiten.', 'Sie arbeitet noch.'],
    ['Hij is gestopt met lopen.', 'Hij loopt elke dag.'],
    ['Przestał pracować.', 'Nadal pracuje.'],
    ['İçmeyi bıraktı.', 'Her gün içiyor.'],
    ['Ona rzuciła picie.', 'Ona nadal pije.'],
    ['הוא הפסיק לעשן.', 'הוא מעשן.'],
    ['他停止工作了。', '他还在工作。'],
    ['酒を飲むのをやめた。', '毎日酒を飲む。'],
    ['เขาเลิกบุหรี่แล้ว', 'เขาสูบบุหรี่'],
  ])('deny only what they name: %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('negation')
    expect(reasonOf(other, one)).toBe('negation')
  })

  it.each([
    ['Only Rita has the key.', 'Everyone but Rita has the key.'],
    ['Nur Rita hat den Schlüssel.', 'Alle außer Rita haben den Schlüssel.'],
    ['Solo Rita tiene la llave.', 'Todos menos Rita tienen la llave.'],
  ])('or a word for one alone excludes what all others do: %j and %j', (one, other) => {
    expect(reasonOf(one, other)).toBe('opposite')
    expect(reasonOf(other, one)).toBe('opposite')
  })
})
