import { reportCharacters, reportOf } from '@memory/engine/explain/indirect'
import { askedAgain, askedAgainBy } from '@memory/engine/recall/asked-again'
import { describe, expect, it } from 'vitest'

const told = (query: string, text: string, cosine = 0.65) => askedAgain(query)({ text, cosine })

describe('a text that only tells of a question', () => {
  it.each([
    ["I can't remember where I parked.", 'Where did I park?'],
    ['Not sure when the passport runs out.', 'When does the passport run out?'],
    ['Looking for the name of the electrician.', "What's the name of the electrician?"],
    ['User wants to know how long the trial lasts.', 'How long does the trial last?'],
    ['Customer asked whether we ship to Malta.', 'Do we ship to Malta?'],
    ["Sam can't remember where he parked.", 'Where did Sam park?'],
    ['I forgot the name of that Thai place', "What's the Thai place called?"],
    ['[user] how do I reset the router', 'how can I reset the router'],
    ['**User:** how do I cancel the subscription', 'how can I cancel the subscription'],
    ['Hi, could you tell me which bin goes out this week? Thanks!', 'Which bin goes out this week?'],
    ["Can you look up Sam's shirt size", "What is Sam's shirt size?"],
    ['TODO: ask when the boiler gets serviced', 'When does the boiler get serviced?'],
    ['Do you know if Sam eats shellfish?', 'Can Sam have prawns?'],
    ['Visitor asks if dogs are allowed.', 'Are dogs allowed?'],
    ["Je cherche le nom de l'électricien.", "Quel est le nom de l'électricien ?"],
    ['Je ne me rappelle plus où j’ai garé la voiture.', 'Où ai-je garé la voiture ?'],
    ["J'ignore où est rangé le manuel.", 'Où est rangé le manuel ?'],
    ['Ich weiß nicht mehr, wo ich geparkt habe.', 'Wo habe ich geparkt?'],
    ['Wo ich geparkt habe, weiß ich nicht mehr.', 'Wo habe ich geparkt?'],
    ['Der Nutzer möchte wissen, wie lange der Test läuft.', 'Wie lange läuft der Test?'],
    ['El usuario quiere saber si enviamos a Malta.', '¿Enviamos a Malta?'],
    ['No recuerdo cómo se llama el restaurante.', '¿Cómo se llama el restaurante?'],
    ['Non ricordo dove ho parcheggiato.', 'Dove ho parcheggiato?'],
    ['Não lembro onde estacionei.', 'Onde estacionei?'],
    ['De gebruiker vraagt of we naar Malta verzenden.', 'Verzenden we naar Malta?'],
    ['Jag minns inte var jag parkerade.', 'Var parkerade jag?'],
    ['Kunden lurer på hvor mye frakten koster.', 'Hvor mye koster frakten?'],
    ['Jeg kan ikke huske, hvor jeg parkerede.', 'Hvor parkerede jeg?'],
    ['Użytkownik chce wiedzieć, czy wysyłamy na Maltę.', 'Czy wysyłamy na Maltę?'],
    ['Nepamatuji si, kde jsem zaparkoval.', 'Kde jsem zaparkoval?'],
    ['Хочу узнать, когда истекает паспорт.', 'Когда истекает паспорт?'],
    ['Клиент спросил, отправляем ли мы на Мальту.', 'Отправляем ли мы на Мальту?'],
    ["Не пам'ятаю, де я припаркувався.", 'Де я припаркувався?'],
    ['Ο πελάτης ρωτάει πόσο κοστίζει η αποστολή.', 'Πόσο κοστίζει η αποστολή;'],
    ['Asiakas kysyi, paljonko toimitus maksaa.', 'Paljonko toimitus maksaa?'],
    ['Nem emlékszem, hol parkoltam.', 'Hol parkoltam?'],
    ['Saya lupa di mana saya parkir.', 'Di mana saya parkir?'],
    ['Tôi quên mất ai giữ chìa khóa.', 'Ai giữ chìa khóa?'],
    ['يسأل المستخدم متى يفتح المسبح.', 'متى يفتح المسبح؟'],
    ['אני לא זוכר איפה חניתי.', 'איפה חניתי?'],
    ['用户询问试用期有多长。', '试用期有多长?'],
    ['用户询问是否可以寄到马耳他。', '可以寄到马耳他吗?'],
    ['どこに駐車したか忘れた。', 'どこに駐車した?'],
    ['獣医の住所を探している。', '獣医の住所は?'],
    ['누가 지붕을 고쳤는지 모르겠어.', '누가 지붕을 고쳤어?'],
    ['मुझे याद नहीं कि मैंने कार कहाँ खड़ी की।', 'मैंने कार कहाँ खड़ी की?'],
    ['Havuzun ne zaman açıldığını bilmiyorum.', 'Havuz ne zaman açılıyor?'],
    ['จำไม่ได้ว่าจอดรถไว้ที่ไหน', 'จอดรถไว้ที่ไหน'],
  ])('%s answers nothing to: %s', (text, query) => {
    expect(told(query, text)).toBe('reworded')
  })

  it.each([
    ["I can't remember names well.", 'What do I have trouble with?'],
    ["I can't remember names well.", "What can't I remember?"],
    ['Sam forgot his keys at work.', "Where are Sam's keys?"],
    ['Customer asked for a refund on 3 May.', 'What did the customer ask for?'],
    ['Customer asked for a refund on 3 May.', 'When is the refund?'],
    ['Ada wants to know the results by Friday', 'When does Ada want to know the results?'],
    ['I need glasses for driving', 'What do I need for driving?'],
    ['I need the car on Friday.', 'Who has the car on Friday?'],
    ["I don't know how to swim.", 'Can I swim?'],
    ['Ada is looking for a job.', "What is Ada's job?"],
    ['Customer Ruiz asked when the parcel arrives.', 'Who is Ruiz?'],
    ['Customer Ruiz asked when the parcel arrives.', 'Who asked about the parcel?'],
    ['Mia knows where the spare key is.', 'Where is the spare key?'],
    ['I forgot where I parked, but Sam says level 3.', 'Where did I park?'],
    ['Sam asked where the key is and I told him it is under the pot.', 'Where is the key?'],
    ['Sam isn’t sure whether he will come to the party.', 'Is Sam coming to the party?'],
    ['I forgot that the rent is 900.', 'What is the rent?'],
    ['Do you know, I was born in Oslo.', 'Where was I born?'],
    ['We need a new boiler.', 'Is the boiler new?'],
    ['Where is the key? Thanks to Ada it is in the hall.', 'Where is the key?'],
    ["J'ai besoin de lunettes pour conduire.", 'De quoi ai-je besoin pour conduire ?'],
    ['Anna sucht eine Wohnung in Jena.', 'Wo sucht Anna eine Wohnung?'],
    ['Ana busca piso en Sevilla.', '¿Dónde quiere vivir Ana?'],
    ['Non so nuotare.', 'So nuotare?'],
    ['Sei onde está a chave: no barracão.', 'Onde está a chave?'],
    ['Ik heb een bril nodig om te rijden.', 'Wat heb ik nodig om te rijden?'],
    ['Sam glömde nycklarna på jobbet.', 'Var är Sams nycklar?'],
    ['Mia wie, gdzie jest klucz.', 'Kto wie, gdzie jest klucz?'],
    ['Сэм забыл ключи на работе.', 'Где ключи Сэма?'],
    ['Χρειάζομαι γυαλιά για οδήγηση.', 'Τι χρειάζομαι για οδήγηση;'],
    ['Unohdin maksaa vuokran.', 'Maksoinko vuokran?'],
    ['Saya butuh kacamata untuk menyetir.', 'Apa yang saya butuhkan untuk menyetir?'],
    ['نسي سام مفاتيحه في المكتب.', 'أين مفاتيح سام؟'],
    ['אני צריך משקפיים לנהיגה.', 'מה אני צריך לנהיגה?'],
    ['小李把钥匙忘在办公室了。', '小李的钥匙在哪里?'],
    ['老师问他为什么迟到,他说堵车。', '他为什么迟到?'],
    ['サムは会社に鍵を忘れた。', 'サムの鍵はどこ?'],
    ['先生になぜ遅れたか聞かれ、渋滞だと答えた。', 'なぜ遅れた?'],
    ['민수는 우산을 잊고 왔어.', '민수는 뭘 잊었어?'],
    ['मुझे गाड़ी चलाने के लिए चश्मा चाहिए।', 'मुझे गाड़ी चलाने के लिए क्या चाहिए?'],
    ['Sam anahtarlarını ofiste unuttu.', "Sam'in anahtarları nerede?"],
    ['แซมลืมกุญแจไว้ที่ทำงาน', 'กุญแจของแซมอยู่ที่ไหน'],
  ])('is none of those that state something, however near: %s for: %s', (text, query) => {
    expect(told(query, text, 0.9)).toBeUndefined()
  })

  it('is what is looked for where all texts tell of questions', () => {
    const texts = ['Client asks when the pool opens.', 'Client asks how much it costs.'].map((text) => ({
      text,
    }))
    const [first] = texts as [{ text: string }]
    expect(askedAgainBy('When does the pool open?', texts)({ ...first, cosine: 0.9 })).toBeUndefined()
    expect(
      askedAgainBy('When does the pool open?', [...texts, { text: 'It opens at 8.' }])({
        ...first,
        cosine: 0.9,
      }),
    ).toBe('reworded')
  })
})

describe('a text that tells of another question', () => {
  it.each([
    ['Ada asked why Tom moved to Hull.', 'Where did Tom move?'],
    ['I forgot why Tom moved to Hull.', 'Where did Tom move?'],
    ['Ben asked how long Tom has been married to Ina.', 'Who is Tom married to?'],
    ['Tom called on Monday to ask when we move.', 'When did Tom call?'],
    ['The bot should ask what size the customer wants.', 'What should the bot do?'],
    ['I always forget where the key is so it hangs by the door.', 'Where is the key?'],
    ['If asked what the wifi password is say maple.', 'What is the wifi password?'],
    ['The vet asked how old Minka the cat is.', 'What is the cat called?'],
    ['The landlady asked whether the boiler from Vaillant leaks.', 'Does the boiler leak?'],
    ['Ask Tom who has the key.', 'Who has the key?'],
    ['I wonder when the party at the Moreaus starts.', 'When does the party start?'],
    ['Ich weiß nicht, warum Tom nach Hull gezogen ist.', 'Wohin ist Tom gezogen?'],
    ['Der Arzt fragte, wann Adas Nussallergie begann.', 'Wogegen ist Ada allergisch?'],
    ['Je me demande comment Tom trouve la vie à Lyon.', 'Où habite Tom ?'],
    ['No sé por qué Tom se mudó a Cádiz.', '¿A dónde se mudó Tom?'],
    ['Non so perché Tom si è trasferito a Lucca.', 'Dove si è trasferito Tom?'],
    ['Não sei por que Tom se mudou para Braga.', 'Para onde Tom se mudou?'],
    ['Ik weet niet waarom Tom naar Gent verhuisd is.', 'Waar is Tom heen verhuisd?'],
    ['Nie wiem, dlaczego Tom przeprowadził się do Gdyni.', 'Dokąd przeprowadził się Tom?'],
    ['Не знаю, почему Том переехал в Казань.', 'Куда переехал Том?'],
    ['En tiedä, miksi Tom muutti Turkuun.', 'Minne Tom muutti?'],
    ['我不知道汤姆为什么搬到长沙。', '汤姆搬到哪里了?'],
    ['トムがなぜ盛岡に引っ越したのか分からない。', 'トムはどこに引っ越した?'],
    ['톰이 왜 부산으로 이사했는지 모르겠어.', '톰은 어디로 이사했어?'],
    ['لا أعرف لماذا انتقل توم إلى دمشق.', 'إلى أين انتقل توم؟'],
  ])('may say what is asked: %s for: %s', (text, query) => {
    for (const cosine of [0.5, 0.7, 0.9]) expect(told(query, text, cosine)).toBeUndefined()
  })
})

describe('a long query', () => {
  it.each(['—', '。', '„', '、', '「', '-', '#', '*', '/', '_', '"', '('])(
    'of %s tells of no question, and is not looked at',
    (mark) => {
      const asked = 'I forgot where I parked'
      expect(reportOf(`${mark.repeat(reportCharacters - asked.length)}${asked}`)?.asked).toBe(
        'where i parked',
      )
      expect(reportOf(`${mark.repeat(5000)}${asked}`)).toBeUndefined()
      expect(told(mark.repeat(5000), asked)).toBeUndefined()
    },
  )

  it('of words is not looked at either', () => {
    expect(reportOf(`I forgot where I parked ${'and which of all cars it is '.repeat(180)}`)).toBeUndefined()
  })
})

describe('a text that is the query itself', () => {
  it.each([
    'Our motto is "Why not?"',
    'My favourite book is Who Moved My Cheese?',
    'Our quiz team is called Agatha Quiztie – whodunnit?',
    'The poster says: Are you ready?',
    'Notre devise : Pourquoi pas ?',
    'Unser Motto lautet: Warum nicht?',
    'Nuestro lema es "¿Por qué no?"',
    'El lema del club es ¿Y por qué no?',
    '我们的口号是"为什么不?"',
    'ミアの好きな本は「なぜ空は青いの?」',
    'Любимая книга Ани — «Кто виноват?»',
    'The 3rd survey question is: How satisfied are you with delivery?',
    'Question 4: How often do you travel?',
    'Mia said: "Are we there yet?"',
    'J’ai adoré « Où est passée la lune ? »',
    'Customer asked whether we ship to Malta.',
    'I forgot the name of that Thai place',
    'need the IBAN of the landlord',
    'I forgot my keys at the gym',
    'I need a new passport',
    'We need more coffee.',
    'I am looking for a new job',
    'Ask Tom who has the key',
    'Could you be loved',
    'Will you still need me tomorrow',
    'Ich brauche ein Visum',
    'Wir suchen eine Tagesmutter',
    "J'ai oublié mes clés",
    'Necesito un visado',
    'Me recuerdas a Ana',
    'Me dices mentiras',
    'Mi dici sempre bugie',
    'Mi ricordi mia madre',
    'Esqueci as chaves',
    'Ik zoek een huis in Gent',
    'Zapomniałem kluczy',
    'Jag behöver ett visum',
    'Я забыл ключи',
    '我需要牛奶和鸡蛋',
    '鍵を忘れた',
    '열쇠를 잊었어',
    'نسيت مفاتيحي',
    'Anahtarımı unuttum',
    'ฉันลืมกุญแจ',
  ])('answers itself where it says more than a question: %s', (text) => {
    expect(told(text, text, 1)).toBeUndefined()
  })

  it.each([
    'user: Where does Ada live?',
    '[user] how do I reset the router',
    'Q: where is the spare key?',
    "Hey! Quick one: what size are Leo's shoes?",
    'the wifi password?',
    'Ada lives in Lisbon?',
    '犬の名前は?',
    'La tienda está abierta?',
    'Por cierto, ¿cuál es el código?',
    "I can't remember where I parked.",
    'Hoeveel kost de huur',
    'Can you look up the price of the vase',
    'me recuerdas el nombre del pediatra',
    'Mi ricordi dove ho messo il libretto',
    '我忘了牙医的电话是多少',
  ])('is only a question else: %s', (text) => {
    expect(told(text, text, 1)).toBe('copy')
  })
})
