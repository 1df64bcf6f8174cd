/**
 * Names that many people and makers have, for places where a capital doesn't tell a name: where a sentence begins, where
 * every noun has one, and in scripts without capitals. By language; between spaces, with `/` between ways to write or
 * shorten one name. A name that is missing here is still known by its capital within a sentence.
 */
export const knownNames: Readonly<Record<string, string>> = {
  en: `james/jim/jimmy/jamie john/johnny/jack/jon/jonathan robert/rob/bob/bobby/robbie michael/mike/mick mary/molly/maria/marie
    william/will/bill/billy/liam david/dave/davey richard/rick/dick/rich joseph/joe/joey thomas/tom/tommy charles/charlie/chuck
    christopher/chris daniel/dan/danny matthew/matt anthony/tony mark/marc donald/don steven/stephen/steve paul andrew/andy/drew
    joshua/josh kenneth/ken/kenny kevin brian/bryan george edward/ed/eddie/ted/ned ronald/ron timothy/tim jason jeffrey/jeff/geoff
    ryan jacob/jake gary nicholas/nick eric/erik stephen/steve larry/lawrence/laurence justin scott brandon benjamin/ben/benny
    samuel/sam/sammy gregory/greg frank/francis/francesco alexander/alex/sandy/alec raymond/ray patrick/pat/paddy dennis jerry/gerald
    tyler aaron henry/harry/hank adam douglas/doug nathan/nate peter/pete zachary/zach kyle walter/walt harold ethan jeremy keith
    roger noah oliver/ollie oscar simon stuart/stewart graham nigel colin ian/iain craig derek neil duncan callum archie alfie freddie/fred/frederick
    leo/leon/leonard lucas/luke/luca owen max/maxwell/maximilian toby theo hugo felix victor/vic martin
    patricia/pat/patty/trish jennifer/jen/jenny linda elizabeth/liz/lizzie/beth/betty/eliza/lisa/elisabeth barbara susan/sue/susie/suzanne
    jessica/jess/jessie sarah/sara/sally karen nancy betty sandra margaret/maggie/meg/peggy/rita ashley kimberly/kim emily/emma/em donna
    michelle carol/caroline/carrie amanda/mandy melissa/mel deborah/debbie/deb stephanie/steph rebecca/becky/becca laura/laurie/lauren
    sharon cynthia/cindy kathleen/kathy/cathy/katherine/catherine/kate/katie/kathryn/katy/kitty amy angela/angie shirley anna/ann/anne/annie/hannah
    ruth brenda pamela/pam nicole/nicky nikki virginia/ginny diane/diana alice/ali janet/jan jean/jeanne grace heather julie/julia/jules joan/joanne/joanna/jo
    christine/christina/chris/tina/kirsty evelyn/eve/eva helen/ellen/helena/nell/nellie olivia/liv/livvy charlotte/lottie/charlie sophia/sophie/sofia
    isabella/bella/ella/isabel/isobel/izzy/isabelle amelia/millie/amy mia ava chloe ella/ellie/eleanor/nora/elle lucy/lucia lily/lillian freya daisy
    ivy rosie/rose/rosa poppy zoe holly jasmine/jas ruby megan/meg abigail/abby gemma claire/clare/clara tracy dawn fiona moira sheila eileen
    brigid/bridget niamh siobhan aoife orla sean/shaun/shawn conor/connor declan cian eoin finn/finley priya raj ravi anil sanjay amit rahul
    vijay arjun rohan neha pooja deepa anita sunita ali ahmed/ahmad mohammed/muhammad/mohamed/mo omar hassan/hasan hussein/husain fatima aisha/ayesha
    yusuf/youssef ibrahim khalid samir leila/layla mariam/maryam yasmin/jasmin noor wei ming chen li kenji hiroshi yuki haruto sakura
    kwame kofi ama chidi ngozi emeka amara thabo sipho zanele`,
  fr: `pierre jean/jeannot michel jacques/jacky philippe alain bernard andré claude nicolas/nico christophe/chris julien olivier sébastien/seb
    laurent frédéric/fred stéphane/steph pascal david éric/eric patrick gilles thierry françois/francois antoine/tony alexandre/alex guillaume/guy
    maxime/max mathieu/matthieu/mathis thomas/tom romain vincent benjamin/ben kévin/kevin anthony arnaud bruno cédric fabien florian/flo gaël gérard
    gaston hugo henri hervé jérôme joël léo/léon louis/lou luc lucas marc marcel maurice nathan noé paul quentin raphaël rémi rené robert roger
    samuel/sam serge simon théo/théodore tristan valentin victor xavier yann yves yannick étienne émile edouard gabriel/gabi arthur adrien clément
    baptiste damien dominique emmanuel/manu jules martin marie nathalie isabelle/isa sylvie catherine/cathy martine christine/chris françoise
    valérie sandrine stéphanie sophie véronique/vero céline chantal patricia/pat anne/annie/anna nicole monique brigitte jacqueline julie aurélie émilie
    laurence hélène/helene élodie camille léa manon chloé inès emma sarah/sara lucie/lucile marine pauline mathilde clara/claire jeanne juliette alice
    louise/lou charlotte margaux/margot/marguerite agathe lola eva/ève nina rose/rosalie zoé anaïs océane mélanie audrey delphine florence/flo
    laetitia virginie corinne danielle denise élisabeth/elise/babette fanny gisèle odile solange yvette yvonne simone thérèse marthe josette ginette
    colette amélie amandine bérénice capucine coralie estelle eugénie gaëlle justine karine laure laura lise/lisa maëlle marion myriam noémie
    ophélie perrine romane sabrina samia nadia nora yasmine rachid karim mehdi mamadou aïcha fatou bintou amadou`,
  de: `peter michael/michi thomas/tom andreas/andi wolfgang klaus/claus jürgen günter/günther stefan/stephan christian/chris uwe werner horst frank
    dieter manfred gerhard/gerd hans/johannes/hannes/johann bernd thorsten/torsten matthias/matze helmut walter heinz martin jörg rolf jens sven
    alexander/alex jan rainer holger karl/carl dirk joachim/jochen ralf/ralph carsten/karsten/kersten heiko oliver/olli volker kurt tobias/tobi markus/marcus
    daniel sebastian/basti florian/flo felix jonas lukas/lucas maximilian/max paul leon/leo luis/louis finn/fynn noah elias ben/benjamin emil anton/toni
    moritz jakob david simon fabian philipp/philip dominik niklas/niko/nico jannik/yannick tim/timo julian marcel patrick kevin dennis rené robert/robin
    rudolf/rudi friedrich/fritz wilhelm/willi otto hermann ernst erwin erich egon bruno hugo konrad kaspar lorenz ludwig norbert olaf ulrich/uli udo veit
    maria/marie ursula/uschi monika petra elisabeth/lisa/elsbeth sabine renate helga karin brigitte/gitte ingrid erika andrea gisela claudia susanne/susi
    gabriele/gabi christa christine/christina/tina/kristina hildegard/hilde anna/anne/anni/anja birgit barbara/bärbel martina stefanie/steffi angelika/geli heike
    nicole ilse irmgard katrin/kathrin/katharina/kati/katja kerstin melanie/mel julia/juli sandra silke tanja antje ute ulrike/ulla silvia/sylvia heidi
    simone sonja daniela manuela marion jutta margarete/grete/greta gerda elke elfriede dagmar cornelia/conny sarah/sara laura lena/lene/helene/magdalena
    leonie lea emma mia hannah/hanna/johanna sophie/sofie/sophia emilia/emily lina clara/klara luisa/louisa/luise amelie mila ida frieda/frida charlotte/lotte
    paula nele merle pia jana jasmin vanessa nina franziska/franzi theresa/resi eva nadine kristin/kirsten yvonne anke bettina beate doris edith frauke
    gudrun gretel inge ilona jule lilli/lilly lotta maike/meike marlene miriam rebecca ronja rosemarie sigrid silja svenja swantje tamara vera wiebke
    mehmet ali mustafa ahmet ayşe/ayse fatma emine hatice murat`,
  es: `antonio/toño/toni josé/pepe jose manuel/manolo francisco/paco/curro/pancho juan/juanito/juanjo david javier/javi daniel/dani jesús/chus
    carlos/carlitos alejandro/alex miguel/miguelito rafael/rafa pedro/perico pablo ángel/angel sergio fernando/nando jorge luis/lucho alberto/beto álvaro/alvaro diego adrián
    raúl/raul enrique/quique ramón/moncho iván rubén óscar/oscar andrés joaquín/quino santiago/santi eduardo/edu víctor/victor roberto mario jaime ignacio/nacho
    marcos ricardo salvador emilio guillermo/memo gonzalo julián julio hugo martín nicolás/nico mateo/mateu lucas leo/leonardo gabriel/gabi felipe tomás
    agustín gregorio/goyo rodrigo cristian/cristián esteban ernesto gustavo héctor ismael josep jordi marc xavier/xavi iker unai aitor mikel gerardo
    maría mary carmen/carmela ana/anita isabel/isa dolores/lola pilar josefa/pepa teresa/tere rosa/rosita cristina/cris ángeles antonia/toñi mercedes/merche
    lucía laura elena/helena marta concepción/concha/conchita raquel sara paula manuela/manoli francisca/paca juana silvia beatriz/bea patricia/patri rosario/charo
    encarna/encarnación sofía/sofi irene nuria alba andrea montserrat/montse julia inés sandra eva claudia mónica/moni natalia alicia esther/ester yolanda/yoli
    rocío susana/susi gloria luisa verónica/vero daniela valentina camila martina emma noa carla alejandra/ale gabriela/gaby adriana carolina/caro catalina
    ximena/jimena fernanda/fer guadalupe/lupe lourdes margarita/marga magdalena/magda noelia olga paloma rebeca sonia vanesa victoria/vicky virginia
    amparo belén blanca begoña consuelo/chelo esperanza fátima inmaculada/inma leticia lorena miriam milagros nieves soledad trinidad`,
  it: `giuseppe/peppe/beppe/pino antonio/tonino/totò mario luigi/gigi francesco/franco/cecco giovanni/gianni/nanni angelo vincenzo/enzo pietro/piero salvatore/totò
    carlo domenico/mimmo bruno paolo michele giorgio aldo sergio luciano roberto alessandro/sandro/ale andrea marco stefano fabio luca claudio davide/dado
    simone matteo/teo daniele/lele lorenzo/renzo riccardo/ricky federico/fede gabriele giulio leonardo/leo tommaso edoardo/edo filippo/pippo giacomo nicola/nico
    raffaele/lello alberto alfredo armando arturo bernardo cesare corrado cristian dario diego dino elio emanuele/manu enrico/rico ernesto fausto felice
    fulvio gaetano gennaro gino giacinto gianluca giancarlo ivan jacopo lino manuel massimo/max mattia maurizio mauro mirko nino oscar pasquale patrizio
    renato rocco romano samuele/sam silvio ugo umberto valerio vito vittorio walter
    maria anna/anita giuseppina/pina rosa/rosetta angela giovanna/gianna teresa/resi lucia carmela caterina/rina francesca/franca anna antonia/antonella/tonia
    carla elena/lena concetta rita margherita/rita franca paola giulia laura chiara sara martina silvia valentina/vale alessia/ale federica/fede elisa/lisa
    elisabetta/betta cristina/cri simona monica barbara daniela patrizia stefania roberta/robi sabrina alessandra/sandra claudia giorgia aurora sofia
    alice ginevra/gin beatrice/bea greta emma matilde vittoria bianca ludovica/ludo camilla gaia noemi nicole marta irene ilaria michela manuela debora
    eleonora/nora emanuela erica eva fabiana flavia gabriella/gabri/ella gloria grazia ida ines isabella/isa ivana katia loredana lorena luisa marina marisa
    miriam mirella nadia nives ornella pamela raffaella/raffa serena sonia susanna tiziana vanessa veronica viola virginia viviana`,
  pt: `joão/joao josé/zé antónio/antônio/tó francisco/chico carlos/carlinhos paulo/paulinho pedro/pedrinho lucas luís/luiz/luis manuel/manel marcos/marco rafael/rafa
    daniel/dani marcelo bruno eduardo/edu/dudu felipe/filipe raimundo rodrigo gabriel/gabi gustavo/guga guilherme/gui tiago/thiago diogo diego miguel rui nuno jorge
    ricardo/rico vítor/vitor fernando/nando sérgio/sergio fábio andré/andre hugo gonçalo henrique leonardo/leo mateus/matheus vinícius alexandre/alex artur arthur
    bernardo caio césar cristiano davi/david emanuel ênio enzo fabrício gilberto heitor igor ivo jaime joaquim/quim júlio leandro/leo lourenço márcio
    martim mário maurício nelson otávio raul renato roberto/beto rogério salvador samuel santiago simão tomás valter/walter vasco vicente wagner
    maria/mariazinha ana/aninha francisca antónia/antônia adriana juliana/ju márcia fernanda/nanda patrícia/paty aline sandra camila/mila amanda bruna jéssica
    letícia júlia/julia luciana vanessa mariana/mari gabriela/gabi vera vitória larissa cláudia beatriz/bia rita sónia/sônia luana joana marta sofia/sophia inês
    catarina leonor matilde carolina/carol lara laura clara helena/lena teresa/tê isabel/belinha margarida raquel sara rute diana filipa susana/suzana cristina/cris
    paula carla lúcia luísa/luiza lurdes/lourdes fátima graça rosa rosário conceição glória alice eva íris madalena bárbara daniela/dani débora eduarda/duda
    elisa estela fabiana flávia heloísa isadora lívia lorena manuela marina michele/michelle mónica/mônica natália paloma priscila renata regina sabrina
    simone tânia tatiana/tati telma valentina yasmin`,
  nl: `jan/johan/johannes/hans pieter/piet/peter hendrik/henk/rik kees/cornelis gerard/gerrit willem/wim dirk/dick klaas/nicolaas/niek maarten/martin/martijn
    jeroen mark/marc marco michiel/michel bas/sebastiaan tim thijs/matthijs daan/daniël sem/sam lucas/luuk lars bram/abraham finn milan levi jesse noah max/maxim thomas/tom
    ruben/ruud luca sander/alexander/lex joost jasper/kasper jurriaan joris/george floris frank/frans/franciscus rob/robert ron/ronald paul peter patrick
    richard/rick dennis erik/eric edwin arjan/arjen bert/bart/lambert/albert ben/bernard boris coen/koen cor diederik evert frits/frederik gijs/gijsbert guus hugo
    ivo jaap/jacob/jakob jelle joep joop jos/jozef kevin leo leon/leonard menno mees mohammed/mohamed nico/nick olivier rik roel/roelof ruud sjoerd stefan steven
    stijn/constantijn teun teus theo ton/toon/anton/antoon victor vincent wessel wouter/walter youri ahmed ali hassan youssef
    anna/anne/anneke/annie/hanna maria/marie/mia/marijke/rie/riet johanna/hanneke/joke/jo/jannie elisabeth/els/betty/bep/liesbeth/lies/elly cornelia/corrie/nel/nelleke hendrika/rika/riek
    emma julia sophie/sofie tess sara/sarah eva/eefje lotte/charlotte lisa/liza noor/nora/eleonora fleur mila zoë saar isa/isabel saskia ingrid linda monique sandra/alexandra
    marieke marloes marjan marleen marlies margriet/margreet/greet/griet/margaretha/grietje mirjam miriam esther ellen/helena/heleen/leen/lena petra karin yvonne jolanda/jolande
    astrid bianca brigitte carla/caroline/karlijn catharina/trijntje/kaat/katrien claudia daphne diana dorien/dorine/thea femke floor/floortje frederique
    gerda/geertje/geertruida/truus gonnie hetty ilse/ils inge ineke iris janneke jantine jasmijn jessica judith kim/kimberly laura leonie lieke lianne loes/louise
    lot maaike maartje manon mandy merel mieke mirte/mirthe naomi nienke nathalie patricia/patries pien renate rianne rosa roos/roosje sanne/susanne/suzanne
    sylvia/silvia tessa tineke/tine/martine vera vivian wendy willemijn/wilma yara fatima`,
  sv: `erik/erick lars/lasse karl/carl/kalle anders johan/johannes/jan/janne/hans/hasse per/pelle/peter/petter/pär nils/nisse/niklas mikael/michael/micke olof/olle/ola/olov
    lennart gunnar sven/svante bengt bo/bosse fredrik/fredde daniel/danne andreas mats/mattias/matte göran/jöran stefan/steffe håkan magnus/mange jonas/jonatan
    martin thomas/tomas/tompa kjell ulf/uffe leif björn/nalle henrik/henke patrik/patric robert/robban christer/krister kristoffer/christoffer/stoffe rickard/richard/ricke
    joakim/jocke marcus/markus/macke alexander/alex/sasse viktor/victor/vicke oskar/oscar/ogge filip/fille simon/simme anton/totte emil/emppu gustav/gustaf/gurra axel/acke
    hugo lucas/lukas elias/eli william/ville/vilhelm oliver/olle liam/willy noah ludvig/ludde albin arvid august adam sebastian/sebbe david/davve kevin jesper kenneth/kent/kenta
    roger tommy tobias/tobbe torbjörn/tobbe ingvar ingemar arne åke rolf roland rune sture stig tage torsten urban valter yngve
    anna/annika/anita/anneli/ann eva/evelina maria/marie/mia/maja karin/carin/katarina/kajsa/karina kristina/kerstin/stina/kicki/christina/kristin lena/helena/elena/heléne emma/emelie/emilia/emmy
    sara/sarah kerstin elisabeth/lisa/elsa/betty/lisbeth/elise birgitta/britta/gitta/britt marianne johanna/hanna/hannah ulla/ulrika linnéa ingrid/inga/inger margareta/greta/maggan/marit
    sofia/sofie/fia/sophie susanne/sanna/susanna gunilla/gun/gunnel monica/monika cecilia/cissi/cilla camilla/milla jenny/jennifer elin/ellen/helen malin/magdalena/lena ida
    amanda/mandy alice/alicia julia/julie/juli wilma/vilma ebba alva astrid/asta signe saga selma klara/clara agnes tove/tova moa matilda/tilda frida/frideborg linda louise/lovisa/lo
    caroline/karolina/lina rebecka/becka jessica/jess therese/tessan/tess nina/janina petra pia barbro/babs berit yvonne ylva åsa ewa gerd maj/majken maud siv sonja sigrid/siri
    viktoria/vicky veronika/vera felicia ella ellinor/nora/eleonora lovisa stella nathalie/natalie`,
  da: `jens/jensen peter/per/peder lars/lasse michael/mikael/mikkel henrik thomas/tom søren/soren jan/johan/johannes/hans/jon christian/kristian/kris martin niels/nils/nikolaj anders/andreas
    morten jesper mads/mathias/mats rasmus hans jørgen/jorgen ole/ola/oluf/olav/olaf erik/eirik/eric knud/knut kjell ulrik poul/pål/paul steen sten svend/svein sven kim bent bjarne
    bjørn/bjorn frederik/fredrik oliver oscar/oskar william/vilhelm noah emil victor/viktor magnus malthe lucas/lukas alexander/sander/alex tobias sebastian simon jonas/jon jakob/jacob
    kasper/casper kenneth torben tore tor/thor thorbjørn/torbjørn geir arne/arnt øyvind/eivind sindre eirik espen håkon/haakon kåre leif odd rune sigurd stian sverre terje trond trygve vidar
    aksel/axel philip/filip felix flemming finn carl/karl/kalle elias august anton/toni gunnar harald
    anne/anna/annika/ane mette/margrethe/grete kirsten/kristin/kristine/kirstine/stine/christina/kristina hanne/hanna/johanne/johanna helle/helene/lene/lena susanne/sanne/susan lone maria/marie/mia/maja/maren inge/inger/ingrid
    karen/katrine/kathrine/karin/kari/trine charlotte/lotte tina camilla/mille louise/lise dorthe/dorte/thea gitte/birgitte/birgit/britt pia rikke/ulrikke/henrikke sofie/sophie/sofia ida emma/emilie/emily freja/freya
    alma clara/klara laura ella/ellen/ellinor olivia/liv agnes josefine/josephine isabella/bella mathilde/tilde/matilda signe astrid/asta sara/sarah julie/julia cecilie/cille/sille nanna amalie/amalia
    caroline/karoline/line pernille/nille tove vibeke bodil berit randi marit/merete sigrid/siri solveig/sol silje tonje torill/toril turid unn ragnhild gunn hege heidi hilde ingeborg
    nora/eleonora eva/evy frida/frigg jenny/jennifer jytte kaja linda/linnea malene/magdalene monica/monika nina oda sanna selma thea tuva vilde/vigdis`,
  fi: `juha/juhani/johannes/jussi/juho/jukka/hannu matti/matias/mathias timo/timoteus kari mikko/mika/mikael jari antti/antero/andreas pekka/pentti/petri/petteri jukka markku/marko/markus/marcus ari
    heikki/henri/henrik janne/jan/jani seppo jorma ilkka esa eero/erkki/eerik/erik aleksi/aleksanteri/santeri/aleksander/ale ville/vilho/viljami tuomas/tomi/tommi/thomas sami/samuel/samuli pasi
    olli/olavi/oliver lauri/lasse/lars eetu/eduard eino onni leo/leevi elias/eelis joona/joonas/jonas kalle/kaarlo/karl niko/niklas/nikolai otto oskari/oskar/osku rasmus risto raimo reijo rauno
    sakari simo/simon taneli/daniel tapio tapani teemu tero topi toivo urho väinö veikko vesa yrjö harri/harry hannes
    anna/anni/anu/annika/anne/hanna/johanna/jaana/anneli maria/marja/maija/mari/mirja/marjatta/maarit liisa/elisabet/elisa/eliisa tuula ritva leena/helena/helmi/elena kirsi/kristiina/kirsti/tiina/stiina eeva/eva/eevi
    päivi riitta/pirkko/birgitta/pirjo sari/saara/sara/sarah minna/vilhelmiina/miina/mimmi susanna/sanna/sanni katja/kaisa/katariina/kati/katri/katriina/kaarina karoliina/lina heidi/heini
    laura emma/emilia/emmi ella/elli/elina/eila sofia/sohvi/sofi aino aada/ada venla lilja/lily olivia/liv helvi iida/ida jenni/jenny jonna kerttu/gertrud maaria merja mervi mia nea nelli nina/niina noora/nora
    outi paula petra pinja raija raili reetta/reeta/margareeta/marketta rosa ronja satu seija silja/silvia sini sirpa sirkka siiri/siri suvi taina taru terhi teija tuija tytti ulla ursula vappu veera/vera vilma/wilma`,
  pl: `jan/janek/jasiek/jaś andrzej/jędrek piotr/piotrek krzysztof/krzysiek/krzyś stanisław/staszek/staś tomasz/tomek paweł/pawel/pawełek józef/józek marcin marek/mareczek michał/misiek grzegorz/grzesiek/grześ
    jerzy/jurek tadeusz/tadek adam/adaś łukasz/lukasz zbigniew/zbyszek ryszard/rysiek/rysio dariusz/darek henryk/heniek mariusz kazimierz/kazik/kazek wojciech/wojtek robert mateusz/mati marian rafał jacek
    janusz mirosław/mirek maciej/maciek sławomir/sławek jarosław/jarek kamil wiesław/wiesiek roman przemysław/przemek artur/arek arkadiusz/arek bartosz/bartek/bartłomiej dawid jakub/kuba filip
    szymon/simon aleksander/olek/alek antoni/antek franciszek/franek mikołaj/mikolaj wiktor igor hubert oskar patryk/patrick damian daniel/danek dominik edward/edek eryk/erik emil eugeniusz/gienek
    fryderyk/fryc gabriel gustaw ignacy/ignac karol/karolek konrad/konradek krystian leon/leszek lech leszek ludwik norbert oliwier olgierd sebastian/seba seweryn tymon tymoteusz/tymek waldemar/waldek witold/witek władysław/władek zdzisław/zdzich zygmunt/zyga
    anna/ania/anka maria/marysia/maryla/marysieńka katarzyna/kasia/kaśka małgorzata/małgosia/gosia/gośka agnieszka/aga barbara/basia/baśka ewa/ewka krystyna/krysia elżbieta/ela/elka/elżunia
    zofia/zosia/zośka teresa/tereska magdalena/magda/madzia joanna/asia/aśka/joasia janina/janka monika danuta/danka/danusia jadwiga/jadzia aleksandra/ola/olka halina/halinka irena/irka beata/beatka
    marta/martusia dorota/dorotka helena/hela/helenka karolina/karola grażyna jolanta/jola iwona/iwonka marianna natalia/natka bożena stanisława/stasia julia/julka/juleczka paulina/paula urszula/ula
    justyna/justynka renata hanna/hania/hanka alicja/ala zuzanna/zuza/zuzia lena/lenka maja/majka oliwia amelia/amelka wiktoria/wika gabriela/gabrysia/gaba weronika/wera patrycja izabela/iza
    kinga sylwia/sylwka emilia/emilka ewelina dominika/domi klaudia kamila/kama edyta eliza wanda wiesława lidia/lidka łucja/łusia sabina olga/olcia nina nadia martyna milena mirosława marzena marlena aneta anita antonina/tosia`,
  cs: `jan/honza/jenda jiří/jirka petr/péťa josef/pepa/pepík pavel tomáš/tom martin jaroslav/jarda miroslav/mirek/míra zdeněk františek/franta václav/vašek milan michal/míša karel/kája
    jakub/kuba lukáš david vladimír/vláďa ladislav/láďa ondřej/ondra roman stanislav/standa marek radek antonín/tonda daniel/dan adam vojtěch/vojta filip dominik matěj/matyáš matouš jindřich/jindra
    bohumil/bohouš luboš/lubomír aleš ivan ivo richard rostislav/rosťa šimon štěpán tadeáš viktor vít zbyněk libor oldřich/olda patrik robert rudolf/ruda samuel/sam
    jana/janička marie/maruška/mařenka eva/evička hana/hanka/hanička anna/anička/andula/anka lenka/lena/magdalena kateřina/katka/káťa lucie/lucka věra/věrka alena/alenka petra/péťa veronika/verča
    jaroslava/jarka tereza/terka martina michaela/míša jitka helena/helča ludmila/lída zdeňka ivana/iva monika/monča eliška zuzana/zuzka markéta/markétka barbora/bára/bětka jarmila
    marcela kristýna/týna dana/daniela/danka dagmar/dáša klára/klárka adéla/áďa natálie/naty nikola/niki pavla/pavlína simona/simča sofie/žofie/žofka šárka vlasta vendula/venda renata/renča
    radka romana olga božena blanka dominika gabriela/gábina irena/irenka karolína/kája květa/květoslava magda marta miroslava/mirka nela ema emma viktorie/viky`,
  ro: `andrei/andreiul alexandru/alex/sandu mihai/mihail ion/ionuț/ionel/nelu ioan gheorghe/george/gigi constantin/costel/costin vasile/vasilică nicolae/nicu/nicolas marian/marin cristian/cristi
    florin/florian dan/daniel/dănuț adrian/adi bogdan ștefan/fane radu vlad/vladimir dumitru/mitică gabriel/gabi victor/victoraș sorin marius robert tudor/teodor matei david luca petru/petre/petrică
    rareș sebastian/sebi silviu horia ovidiu cosmin călin cătălin/cata emil eugen iulian liviu lucian octavian paul
    maria/marioara ana/anișoara elena/ileana/lenuța ioana/ionela andreea/andra mihaela cristina/cristi daniela/dana alexandra/sanda/alex gabriela/gabi alina adriana georgiana/gina florentina/floarea
    nicoleta simona/simo raluca roxana oana ramona monica/moni loredana laura larisa lavinia diana denisa corina claudia carmen camelia bianca anca/ancuța irina/irinuca iulia/iuliana
    mirela mădălina/măda magdalena/magda natalia paula petronela rodica sofia sorina ștefania/fani teodora/dora valentina/vali vasilica victoria violeta viorica`,
  hu: `lászló/laci istván/pisti józsef/jóska/józsi jános/jani jancsi zoltán/zoli sándor/sanyi ferenc/feri gábor/gabi attila péter/peti tamás/tomi zsolt tibor andrás/andris/bandi csaba imre lajos györgy/gyuri
    balázs gyula krisztián/krisz dávid máté ádám bence norbert/norbi dániel/dani róbert/robi roland richárd/ricsi szabolcs levente márk/márkó botond dominik/domi milán áron marcell/marci noel viktor/viki ákos gergő/gergely/geri
    mária/mari/marika erzsébet/erzsi/bözsi katalin/kata/kati ilona/ica/ili éva/évi anna/annus/anikó zsuzsanna/zsuzsa/zsuzsi margit/manci judit/juci ágnes/ági andrea/andi ildikó erika irén krisztina/kriszti/kriszta
    julianna/julis/julia mónika/móni eszter/eszti magdolna/magdi edit tünde tímea/timi réka dóra/dorottya/dóri viktória/viki nikolett/niki vivien/vivi lili luca hanna/hanni zsófia/zsófi emma boglárka/bogi nóra/eleonóra
    orsolya/orsi petra gabriella/gabi/ella piroska/piri rita/ritus rozália/rózsi sára/sári szilvia/szilvi teréz/teri valéria/vali veronika/vera`,
  tr: `mehmet/mehmed mustafa ahmet/ahmed ali hüseyin hasan ibrahim/ibo ismail osman yusuf murat ömer/omer ramazan halil süleyman abdullah mahmut recep salih fatih kadir emre
    hakan adem kemal yaşar bekir musa metin orhan serkan bayram erkan cemal selim veli cem can eren burak kerem deniz barış onur volkan uğur tolga tarık sinan serdar
    rıza ozan okan oğuz mert levent ilker ilhan haluk gökhan fikret ferhat erol erdem enes ege doruk cihan cengiz bülent berk baran ayhan atilla arda alper aziz
    fatma ayşe/ayse emine hatice zeynep elif meryem şerife zehra sultan hanife merve havva zeliha esra özlem/ozlem yasemin hülya sevim gülsüm/gülşen melek
    dilek sibel leyla hacer songül sevgi aysel kübra büşra tuğba derya pınar selin sinem seda selma sema serap sevda sevil tülay ebru ece eda
    ezgi fadime filiz gamze gizem gonca gül gülay gülten hande inci ipek irem jale lale mine müge nalan nazlı nermin nesrin nilgün nilüfer nur nurcan oya özge`,
  vi: `nam hùng minh tuấn dũng cường thắng hải long sơn quân đức anh hoàng huy phúc khoa kiên lâm quang trung thành việt vinh
    lan hương mai hoa linh hà trang thảo phương nga ngọc nhung oanh quỳnh thu thúy thủy vân yến hằng hạnh hiền dung diệp chi châu trâm tuyết`,
  id: `agus budi andi dedi eko joko/djoko hendra rudi/rudy bambang slamet suryadi adi arif/arief bayu dimas fajar gilang hadi iwan irfan rizky/rizki rahmat/rahmad ridwan wahyu yudi yusuf
    ahmad/achmad muhammad/mohammad/moh hasan hasim umar usman zainal siti sri dewi rina rini ratna sari wati ani ayu fitri indah indri lestari maya nina nur nurul putri rani
    retno tuti wulan yanti yuli yuni tika tini sinta santi rahma nadia mega lina lia ika ita hesti fatimah eka dina dian`,
  ru: `александр/саша/саня/шура/сашка алексей/лёша/лёха/алёша андрей/андрюша анатолий/толя антон/тоха аркадий артём/артем/тёма борис/боря вадим валентин/валя валерий/валера василий/вася виктор/витя виталий/виталик
    владимир/володя/вова владислав/влад вячеслав/слава геннадий/гена георгий/гоша/жора герман глеб григорий/гриша даниил/даня/данила денис дмитрий/дима/митя евгений/женя егор захар иван/ваня/ванька
    игнат игорь илья/илюша кирилл константин/костя лев/лёва леонид/лёня макар максим/макс марк матвей михаил/миша/мишка никита николай/коля олег павел/паша пётр/петр/петя платон роман/рома
    руслан рустам савелий семён/семен сергей/серёжа/серёга станислав/стас степан/стёпа тарас тимофей/тима тимур фёдор/федор/федя филипп эдуард/эдик юрий/юра яков/яша ярослав/ярик/слава
    александра/саша/шура алёна/алена алина алиса алла анастасия/настя/ася ангелина/геля анна/аня/анюта/нюра/ася антонина/тоня валентина/валя валерия/лера варвара/варя василиса вера/верочка вероника/ника виктория/вика
    галина/галя дарья/даша диана ева евгения/женя екатерина/катя/катюша елена/лена/алёна елизавета/лиза жанна зинаида/зина зоя инна ирина/ира карина кира клавдия/клава кристина ксения/ксюша лариса/лара
    лидия/лида любовь/люба людмила/люда/мила маргарита/рита марина мария/маша/маруся надежда/надя наталья/наташа/наталия нелли нина оксана ольга/оля полина/поля раиса/рая светлана/света
    снежана софья/софия/соня тамара/тома татьяна/таня ульяна/уля фаина эльвира эмма юлия/юля яна айгуль алия динара зульфия гульнара марат ринат азамат ахмед магомед`,
  uk: `олександр/сашко/саша олексій/олекса/льоша андрій/андрійко анатолій/толя антон артем богдан/бодя борис вадим валентин валерій василь/вася віктор/вітя віталій володимир/вова/володя владислав/влад вячеслав/славко/слава
    геннадій григорій/гриць данило/даня денис дмитро/діма/дмитрик євген/женя захар іван/івась/івасик ігор/ігорко ілля кирило костянтин/костя лев леонід любомир максим/макс маркіян матвій
    микита микола/коля михайло/миша/мишко назар нестор олег/олежик орест остап павло/паша петро/петрик платон роман/ромко руслан святослав/слава семен сергій/серьожа станіслав/стас степан/стефко тарас/тарасик
    тимофій тиміш федір юрій/юра яків ярослав/славко/слава олександра/саша/леся алла аліна анастасія/настя ангеліна анна/ганна/аня/галя валентина/валя вікторія/віка віра галина/галя дарина/даша/дарія
    діана євгенія/женя єва єлизавета/ліза жанна зоя злата інна ірина/іра/іринка калина карина катерина/катя/катруся кіра ксенія/оксана/ксюша лариса леся лідія/ліда людмила/люда любов/люба
    маргарита/рита марина марія/маша/марійка марта мар'яна надія/надя наталія/наталка/наташа ніна оксана олена/лена/оленка олеся ольга/оля поліна роксолана руслана світлана/світа соломія
    софія/соня таїсія тамара тетяна/таня уляна христина юлія/юля юстина яна ярослава`,
  bg: `георги/гошо/жоро иван/ванко димитър/митко/димо николай/ники/кольо петър/пешо христо/ицо йордан/данчо александър/сашо/алекс стефан васил/васко тодор/тошо стоян атанас/наско ангел красимир/краси пламен
    мария/мими иванка/ваня елена/ели йорданка/данка пенка радка мариана/ани анна/ани цветана/цеца росица/роси даниела/дани десислава/деси виктория/вики габриела/габи надежда/надя силвия гергана/гери`,
  el: `γιώργος/γεώργιος/γιώργη/γιώργο γιάννης/ιωάννης/γιάννη δημήτρης/δημήτριος/μήτσος/δημήτρη κώστας/κωνσταντίνος/κώστα νίκος/νικόλαος/νίκο παναγιώτης/πάνος/πάνο βασίλης/βασίλειος/βασίλη χρήστος/χρήστο αθανάσιος/θανάσης/θανάση
    μιχάλης/μιχαήλ/μιχάλη σπύρος/σπύρο αντώνης/αντώνιος/αντώνη αλέξανδρος/αλέξης/αλέκος ανδρέας/ανδρέα στέλιος/στέλιο θωμάς/θωμά ηλίας/ηλία πέτρος/πέτρο παύλος/παύλο σταύρος/σταύρο στέφανος λευτέρης/ελευθέριος
    μαρία/μαρίας ελένη/ελένης/λένα κατερίνα/αικατερίνη/κατερίνας βασιλική/βάσω σοφία/σοφίας αγγελική/αγγελικής γεωργία/γεωργίας δήμητρα/δήμητρας ιωάννα/γιάννα/ιωάννας ειρήνη/ρένα/ειρήνης άννα/άννας ευαγγελία/λίτσα
    παναγιώτα/γιώτα κωνσταντίνα/ντίνα χριστίνα/χριστίνας αναστασία/νατάσα δέσποινα/δέσποινας ευγενία θεοδώρα/ντόρα ζωή/ζωής μαργαρίτα όλγα/όλγας`,
  ar: `محمد أحمد محمود علي حسن حسين عمر عثمان خالد سامي سمير يوسف إبراهيم إسماعيل مصطفى كريم طارق فؤاد وليد هشام عادل ماجد نبيل رامي بلال ياسر زياد فادي هاني أيمن باسم جمال رشيد
    زكريا سليمان سيف صلاح طه عبدالله عبدالرحمن عدنان عماد عمار غسان فارس فهد فيصل قاسم كمال مازن منصور مراد معاذ نادر ناصر نزار هيثم وسيم يحيى يونس حمزة أنس أسامة تامر
    فاطمة عائشة مريم زينب ليلى سارة هدى منى سلمى سعاد نادية خديجة رقية أسماء إيمان بثينة بشرى حفصة حليمة دلال دنيا رانيا رباب رحاب ريهام سميرة سناء سهام سوسن شيماء صفية
    عبير غادة فريدة لبنى لمياء لطيفة مها ميساء نجلاء نجوى نورا نوال هالة هبة هند وفاء ياسمين يسرى رنا دينا لينا سوسن كريمة سلوى صفاء أمينة جميلة
    سامسونج سوني هواوي آبل نوكيا شاومي تويوتا هوندا نيسان مرسيدس فورد هيونداي كيا مازدا أودي رينو بيجو فولكسفاجن مايكروسوفت جوجل أمازون فيسبوك واتساب تلغرام بيبسي كوكاكولا أديداس نايكي ال جي باناسونيك
    سامر ثامر جاسم حازم حسام حمد حمدان خليل راشد رائد زيد سعد سعود سعيد سلمان شادي صالح عاصم عبدالعزيز عبدالكريم عصام علاء عمرو فاروق فايز فراس فهمي لؤي ماهر مؤيد مجدي مروان مشاري مهند موسى نايف نضال هاشم وائل وجدي آلاء أروى تغريد تهاني دانة رزان رغد رهف ريم ريما زهراء سلافة سميحة سهير شيرين ضحى عفاف علياء فاتن كوثر لمى لجين مرام مروة منيرة ميرنا ندى نسرين نهى نور نوف هاجر وداد`,
  fa: `علی محمد رضا حسین مهدی امیر حسن احمد محمود ابراهیم اسماعیل یوسف سعید حمید مجید رحیم کریم جواد صادق عباس اکبر اصغر بهرام بهزاد پرویز پیمان داریوش سیاوش شهرام فرهاد فریدون کاوه کامران کوروش
    مسعود منوچهر ناصر نادر هوشنگ یاسر آرش آرمان سهراب بابک سارا مریم فاطمه زهرا نرگس لیلا مینا مهسا نازنین نسرین نگار نیلوفر پریسا پروین پریا رویا زینب سحر سمیرا شیرین شیوا فرزانه
    فرشته معصومه ملیحه منیژه مهناز ناهید هما الهام آزاده سامسونگ سونی هواوی اپل نوکیا تویوتا هوندا نیسان بنز پژو رنو سایپا کیا هیوندای مزدا گوگل مایکروسافت تلگرام واتساپ`,
  he: `דוד יעקב אברהם יצחק דניאל אבי רון איתן נועם אורי שרה רחל לאה דנה מיכל נועה תמר רות יעל יוסי משה שמואל חיים מנחם אליהו אהרון בנימין שמעון ראובן נתן גדעון עמית יואב תומר עידו אסף
    גיא דורון ערן אלון ירון ניר צבי זאב אריה בועז שלמה רותי מירי אורית ענת שירה מאיה עדי עומר יונתן איתי נעמה חנה מרים אסתר רבקה דבורה נעמי אביגיל איילת אפרת גלית דורית הילה
    ורד טלי יפה ליאת לימור מורן מיטל מיכאל נטע סיגל עינת קרן רונית שולה שרון טויוטה הונדה מאזדה יונדאי קיה סובארו סמסונג סוני אפל נוקיה גוגל מיקרוסופט וואטסאפ טלגרם`,
  hi: `राहुल अमित रवि विजय अजय संजय सुरेश रमेश महेश दिनेश गणेश नरेश मुकेश अनिल सुनील श्याम मोहन सोहन राजेश राकेश अशोक मनोज विनोद प्रमोद अरुण वरुण तरुण करण अर्जुन रोहन रोहित मोहित सचिन नितिन विकास
    विवेक संदीप प्रदीप कुलदीप दीपक आलोक पंकज नीरज सूरज मनीष आशीष हरीश सतीश जगदीश कैलाश गोपाल कृष्णा राम लक्ष्मण भरत इमरान सलमान शाहरुख आमिर अब्दुल गीता सीता प्रिया नेहा पूजा अनीता सुनीता रीता मीना राधा सीमा
    कविता सविता ममता सरिता अंजलि अंजू मंजू संजू रेखा रेणु वीणा सुमन किरण ज्योति दीपा दीपिका प्रीति स्वाति श्वेता निशा उषा आशा लता शीला सुषमा रश्मि पल्लवि मीरा सोनिया सोनाली काजल करिश्मा फातिमा आयशा शबाना ज़ैनब
    सैमसंग इन्फोसिस टाटा महिंद्रा होंडा टोयोटा हुंडई मारुति सोनी नोकिया एप्पल गूगल माइक्रोसॉफ्ट विप्रो रिलायंस एयरटेल जियो वोडाफोन श्याओमी ओप्पो वीवो बजाज हीरो`,
  zh: `约翰 玛丽 汤姆 杰克 大卫 迈克 彼得 保罗 安娜 丽莎 露西 艾米 爱丽丝 张三 李四 王五 赵六
    丰田 豐田 本田 日产 日產 马自达 馬自達 大众 奔驰 賓士 宝马 寶馬 奥迪 奧迪 福特 雪佛兰 别克 现代 起亚 比亚迪 吉利 奇瑞 特斯拉 沃尔沃 斯巴鲁 铃木 三菱
    华为 華為 小米 苹果 蘋果 三星 索尼 松下 联想 聯想 戴尔 惠普 华硕 荣耀 诺基亚 微信 支付宝 淘宝 京东 百度 腾讯 阿里巴巴 谷歌 微软 亚马逊 美团 拼多多 抖音 快手 微博 可口可乐 百事可乐 耐克 阿迪达斯 李宁 安踏 星巴克 瑞幸 麦当劳 肯德基`,
  ja: `太郎 次郎 一郎 三郎 健太 健一 健二 大輔 大樹 翔太 翔 拓也 拓海 直樹 和也 達也 哲也 雄太 雄一 裕太 祐介 悠斗 蓮 陽翔 湊 樹 誠 浩 隆 剛 学 修 茂 清 進 豊
    花子 由美 美咲 恵子 洋子 幸子 和子 節子 京子 陽子 裕子 智子 久美子 由美子 明美 直美 真由美 美穂 美香 麻衣 舞 愛 葵 凛 結衣 陽菜 優子 友美 彩 彩香 沙織 香織 千尋 さくら ひかり あかり
    田中 鈴木 佐藤 高橋 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 林 斎藤 清水 山崎 森 池田 橋本 阿部 石川 前田 藤田 小川 岡田 後藤 長谷川 村上 近藤 石井 坂本 遠藤 青木 藤井 西村 福田 太田 三浦 藤原 岡本 松田 中川 中野 原田 小野 田村 竹内 金子 和田 中山 石田 上田 森田
    トム ジョン マリア アンナ マイク ケン ジャック エミリー サラ デイビッド
    ホンダ マツダ トヨタ 日産 スバル スズキ ダイハツ 三菱 レクサス ベンツ フォード アウディ ソニー パナソニック シャープ 東芝 日立 富士通 任天堂 キヤノン キャノン ニコン アップル サムスン グーグル マイクロソフト アマゾン 楽天 メルカリ ヤフー ドコモ ソフトバンク ユニクロ ナイキ アディダス アサヒ キリン サッポロ サントリー ローソン ファミリーマート セブンイレブン ファミマ セブン スターバックス マクドナルド モスバーガー`,
  ko: `민수 지영 영희 철수 민지 지훈 서연 수진 현우 미나 은지 준호 하은 민준 서준 도윤 예준 시우 주원 하준 지호 지후 준서 건우 현준 우진 선우 민재 민호 동현 성민 성호 진우 영수 영호 정호 정훈 재현 태현 승현 승민 상훈 경수 병철
    서윤 지우 하윤 지유 채원 수아 지아 다은 예은 소율 윤서 지원 유진 수빈 예진 지민 민서 은영 은주 은경 미영 미경 미숙 영미 영숙 정숙 순자 혜진 혜영 혜원 지현 지은 지혜 수연 수민 소연 소영 보람 유나 현정 현주 나영
    삼성 엘지 현대 기아 쌍용 르노 도요타 토요타 혼다 닛산 마쓰다 벤츠 아우디 포드 애플 소니 샤오미 화웨이 구글 네이버 카카오 쿠팡 아마존 마이크로소프트 나이키 아디다스 롯데 신세계 이마트 홈플러스 스타벅스 이디야 맥도날드 롯데리아 버거킹`,
  th: `สมชาย สมหญิง สมศักดิ์ มานะ มานี ปิติ ชูใจ วิชัย ประยุทธ์ สมพร สมบัติ สมบูรณ์ ประเสริฐ สุชาติ วีระ อนุชา อนันต์ ณัฐพล ธนากร กิตติ พงษ์ศักดิ์ สุดา สุภา สุนีย์ วันเพ็ญ มาลี มาลัย นงนุช นภา พรทิพย์ รัตนา วิไล ศิริพร อรุณี อรทัย
    โตโยต้า ฮอนด้า นิสสัน มาสด้า อีซูซุ มิตซูบิชิ ซัมซุง โซนี่ แอปเปิล หัวเว่ย กูเกิล`,
}

/** Makers and what they make, as they are written in Latin letters in any language. */
export const brandNames = `opel audi bmw mercedes volkswagen/vw porsche ford fiat renault peugeot citroën/citroen seat škoda/skoda toyota honda mazda nissan subaru suzuki
  mitsubishi hyundai kia volvo saab tesla dacia lancia ferrari lamborghini jaguar lexus chevrolet chrysler jeep dodge cadillac buick byd yamaha kawasaki ducati
  vespa harley firefox chrome safari opera brave edge vivaldi windows linux macos android ios ubuntu debian fedora samsung iphone/apple huawei xiaomi oppo
  nokia motorola pixel oneplus sony panasonic philips lg siemens bosch miele whirlpool electrolux dell lenovo acer asus hp/hewlett toshiba fujitsu ibm intel amd nvidia
  microsoft google amazon facebook/meta instagram whatsapp telegram signal threema skype zoom slack teams discord twitter tiktok youtube netflix spotify
  deezer tidal disney hbo paypal visa mastercard revolut ikea lidl aldi rewe edeka carrefour auchan tesco sainsbury walmart costco nike adidas puma reebok asics
  pepsi coca/coke fanta sprite heineken carlsberg guinness starbucks mcdonald/mcdonalds lufthansa ryanair easyjet emirates airbus boeing canon nikon leica fujifilm
  lego playmobil nintendo playstation xbox gmail outlook yahoo excel word python java javascript rust photoshop wordpress github gitlab dropbox`

/** The commonest family names of Chinese, and what given names are made of but few other words. */
export const chineseNames = {
  family:
    '王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾賈丁魏薛叶葉阎余潘杜戴夏钟鍾汪田任姜范方石姚谭譚廖邹鄒熊金陆陸郝孔崔康邱秦侯顾顧邵孟龙龍段雷钱錢汤湯尹易武乔喬贺賀赖賴龚龔',
  given:
    '伟偉芳娜秀英敏静靜丽麗强強磊军軍洋勇艳艷杰傑娟涛濤超霞刚剛桂兰蘭红紅玲燕鹏鵬飞飛婷倩雪琳颖穎玉萍莉慧佳欣怡梅琴云雲波斌辉輝浩宇轩軒博豪俊凯凱峰鑫晨阳陽旭昊宁寧雯璐瑶瑤丹妮珍凤鳳洁潔晶莹瑩蕾薇芬荣榮亮健毅龙龍虎彬帆翔鸣明华華志建国國文海梓涵诗詩若思',
} as const
