"""Every error a user can meet: a stable code, what happened, and how to mend it.

One class is one code. The class holds the sentences as templates, so that the reference page, the command
line, and the problem+json of the HTTP door are all made from the same table. Messages of lower libraries never
pass through here: the file that wraps a library translates its exceptions.
"""

from __future__ import annotations

from typing import ClassVar


class CausetrailError(Exception):
    """Root of all errors that Causetrail raises on purpose.

    Subclasses fill `code`, `summary` and `mend`; the keyword arguments of the constructor fill the templates and are
    kept in `details` for programs.
    """

    code: ClassVar[str] = "CT-X000"
    """Stable: a letter for the family (documents, store, question, configuration, models, doors) and a number."""
    summary: ClassVar[str] = "{reason}"
    """What happened, one sentence; a `str.format` template over the constructor's arguments."""
    mend: ClassVar[str] = "Report this as a defect, with the command that led to it."
    """What the user can do about it; the same kind of template."""
    exit_code: ClassVar[int] = 1
    """Exit status of the command line when this error ends the command."""
    http_status: ClassVar[int] = 500
    """Status of the HTTP answer that carries this error."""

    def __init__(self, **details: object) -> None:
        self.details: dict[str, object] = details
        self.message: str = self.summary.format(**details)
        self.fix: str = self.mend.format(**details)
        super().__init__(f"{self.code}: {self.message} {self.fix}")

    def __reduce__(self) -> tuple[object, ...]:
        """Errors cross the border of worker processes, so they are rebuilt from their arguments."""
        return (_rebuild, (type(self), self.details))


def _rebuild(kind: type[CausetrailError], details: dict[str, object]) -> CausetrailError:
    return kind(**details)


class DocumentError(CausetrailError):
    """A document could not be taken in; the others still are."""

    exit_code = 3
    http_status = 422


class DocumentEmpty(DocumentError):
    code = "CT-D001"
    summary = "{source} holds no text."
    mend = "Give a document with text in it, or leave this one out."


class DocumentBinary(DocumentError):
    code = "CT-D002"
    summary = "{source} is named as text but holds binary data."
    mend = "Convert it to text, or give it the file ending of its real format."


class DocumentEncoding(DocumentError):
    code = "CT-D003"
    summary = "{source} is not valid {encoding}: the first bad byte is at position {position}."
    mend = "Save it as UTF-8 and ingest it again."


class DocumentTooLarge(DocumentError):
    code = "CT-D004"
    summary = "{source} holds {size} {unit}; the limit is {limit}."
    mend = "Split it, or raise max_document_{unit} in the settings."


class DocumentEncrypted(DocumentError):
    code = "CT-D005"
    summary = "{source} is encrypted."
    mend = "Remove the password protection and ingest it again."


class DocumentDamaged(DocumentError):
    code = "CT-D006"
    summary = "{source} cannot be read as {media_type}: it is truncated or damaged."
    mend = "Get an intact copy of the file and ingest it again."


class DocumentScanned(DocumentError):
    code = "CT-D007"
    summary = "{source} has {pages} page(s) but no text layer: it holds pictures of pages."
    mend = "Run a text recognition program over it (ocrmypdf, for example) and ingest its output."


class DocumentExpands(DocumentError):
    code = "CT-D008"
    summary = "{source} unpacks to more than {limit} bytes."
    mend = "It looks like a decompression bomb. If it is none, raise max_unpacked_bytes, or save its text in a file."


class DocumentUnreadable(DocumentError):
    code = "CT-D009"
    summary = "{source} cannot be opened: {reason}."
    mend = "Check that the file exists and that you may read it."


class DocumentLoop(DocumentError):
    code = "CT-D010"
    summary = "{source} is a symbolic link that leads back to itself or to a folder above it."
    mend = "Remove the link, or ingest the folder it stands for."


class DocumentFormat(DocumentError):
    code = "CT-D011"
    summary = "{source} has a format that cannot be read: {media_type}."
    mend = "Readable are txt, md, html, pdf, docx, pptx, csv, json and jsonl. Convert it to one of them."


class DocumentFields(DocumentError):
    code = "CT-D012"
    summary = "{source} has no text field: {reason}."
    mend = "Name the column or key that holds the text one of: {expected}."


class DocumentCharacters(DocumentError):
    code = "CT-D013"
    summary = "{source} holds a character that no text may hold: {reason}."
    mend = "Remove it (NUL characters and lone surrogates come from broken conversions) and ingest it again."


class DocumentUnknown(CausetrailError):
    code = "CT-D014"
    summary = "There is no document {document} in the collection {collection}."
    mend = "List the documents with: causetrail show documents."
    exit_code = 4
    http_status = 404


class SourceMissing(DocumentError):
    code = "CT-D015"
    summary = "There is no file or folder {source}."
    mend = "Check the path."
    http_status = 404


class DocumentAborted(DocumentError):
    code = "CT-D016"
    summary = "Reading {source} ended before its end: {reason}."
    mend = "If memory ran out, split the document or lower jobs; otherwise report this as a defect, with the document."
    http_status = 500


class DocumentSlow(DocumentError):
    code = "CT-D017"
    summary = "{source} was not read within {seconds} seconds."
    mend = "It may be made to exhaust its reader. If it is genuine, raise max_document_seconds in the settings."


class PairsFormat(DocumentError):
    code = "CT-D018"
    summary = "{source} is no file of question-answer pairs: {reason}."
    mend = (
        "Give a csv file with the columns question and answer and no others, a jsonl file with these two keys, or a "
        "Markdown page with a heading for each question, question mark and all."
    )


class PairInvalid(DocumentError):
    code = "CT-D019"
    summary = "{source} has no question-answer pair at {place}: {reason}."
    mend = "Correct it there and ingest the file again; nothing of the file was taken in."


class StoreError(CausetrailError):
    """The store could not do what was asked."""

    exit_code = 5
    http_status = 503


class StoreForeign(StoreError):
    code = "CT-S001"
    summary = "{path} is not a Causetrail store."
    mend = "Give --store another file; this one was not touched."


class StoreReadOnly(StoreError):
    code = "CT-S002"
    summary = "{path} cannot be written."
    mend = "Check the permissions of the file and of its folder."


class StoreLocked(StoreError):
    code = "CT-S003"
    summary = "{path} has been held by another writer for more than {seconds} seconds."
    mend = "Wait for it to finish, or raise store_wait_seconds in the settings."


class StoreNewer(StoreError):
    code = "CT-S004"
    summary = "{path} has schema version {found}; this program knows versions up to {known}."
    mend = "Install a newer Causetrail to use it."


class StoreDamaged(StoreError):
    code = "CT-S005"
    summary = "{path} is damaged, or was changed by another program: {what}."
    mend = "Name the damaged records with: causetrail verify. Then ingest the documents into a new store."


class StoreFull(StoreError):
    code = "CT-S006"
    summary = "The disk that holds {path} is full."
    mend = "Free some space and run the same command again: it goes on behind the last finished document."


class StoreAddress(StoreError):
    code = "CT-S007"
    summary = "{address} is not the address of a store."
    mend = "Write sqlite:///relative.db, sqlite:////absolute/path.db or neo4j://host:7687, without user and password."
    exit_code = 2
    http_status = 400


class RecordUnknown(StoreError):
    code = "CT-S008"
    summary = "There is no {kind} {id} in the collection {collection}."
    mend = (
        "Check the id and the collection. Ids are listed by: causetrail events, causetrail claims list, causetrail "
        "decisions list, causetrail hypotheses list; those of mentions by causetrail show event ID."
    )
    exit_code = 4
    http_status = 404


class RecordInvalid(StoreError):
    code = "CT-S009"
    summary = "The {kind} {id} was refused: {reason}."
    mend = "A record must repeat its document word for word at its offsets. Make it anew from the document's text."
    http_status = 422


class LeaseLost(StoreError):
    code = "CT-S010"
    summary = "Another process took over the derivation of the collection {collection}."
    mend = "Nothing is lost; that process finishes the work."


class StoreFolderMissing(StoreError):
    code = "CT-S029"
    summary = "The folder of {path} does not exist."
    mend = "Make the folder, or give --store another file."


class StoreMissing(StoreError):
    code = "CT-S011"
    summary = "There is no store at {path}."
    mend = "Create one with: causetrail ingest FOLDER --store {address}"
    exit_code = 4
    http_status = 404


class DecisionRefused(StoreError):
    code = "CT-S012"
    summary = "The decision was refused: {reason}."
    mend = "List what stands with: causetrail decisions list; take one back with: causetrail decisions undo ID."
    exit_code = 2
    http_status = 409


class ServerAbsent(StoreError):
    code = "CT-S013"
    summary = "No Neo4j server answers at {address}: {reason}."
    mend = "Start it or correct the address; causetrail doctor tells what is wrong."


class ServerLogin(StoreError):
    code = "CT-S014"
    summary = "The Neo4j server at {address} does not let {user} in: {reason}."
    mend = "Set CAUSETRAIL_NEO4J_USER and CAUSETRAIL_NEO4J_PASSWORD."


class ServerReadOnly(StoreError):
    code = "CT-S015"
    summary = "The database {database} at {address} takes no writes: {reason}."
    mend = "Give the address of the member that takes writes, or a user who may write."


class ServerVersion(StoreError):
    code = "CT-S016"
    summary = "{address} is {found}; needed is {needed}."
    mend = "Use a server of that kind."


class ServerLost(StoreError):
    code = "CT-S017"
    summary = (
        "The connection to {address} was lost and did not come back; the work was given up after {seconds} seconds."
    )
    mend = "Start the server, then do the same again; an ingest goes on behind the last finished document."


class DatabaseForeign(StoreError):
    code = "CT-S018"
    summary = "The database {database} at {address} holds nodes of another program: {count} of the label {label}."
    mend = "Give another server or database, or share this one with --adopt; foreign nodes are then left alone."
    exit_code = 2
    http_status = 409


class DatabaseMissing(StoreError):
    code = "CT-S019"
    summary = "There is no database {database} at {address}."
    mend = "Set CAUSETRAIL_NEO4J_DATABASE to one that is there; the first one is called neo4j."
    exit_code = 4


class SnapshotLost(StoreError):
    code = "CT-S020"
    summary = "The graph at {address} changed while it was read."
    mend = "Ask again; while documents are being taken in this can happen more than once."


class ServerBusy(StoreError):
    code = "CT-S021"
    summary = "The Neo4j server at {address} could not finish: {reason}."
    mend = "Try again; if it stays so, give the server more memory, or raise neo4j_transaction_seconds in the settings."


class ServerRefused(StoreError):
    code = "CT-S022"
    summary = "The Neo4j server at {address} refused what it was asked: {reason}."
    mend = "causetrail doctor tells whether server, schema and rights are as they should be."


class StoreUnlike(StoreError):
    code = "CT-S023"
    summary = "The copy at {address} is not like what was copied: {reason}."
    mend = "Nothing was deleted. Check both with causetrail verify, then run the same copy again."


class CopyRefused(StoreError):
    code = "CT-S024"
    summary = "The collection {collection} was not copied: {reason}."
    mend = "{advice}"
    exit_code = 2
    http_status = 409


class DatabaseMixed(StoreError):
    code = "CT-S025"
    summary = (
        "The database {database} at {address} holds nodes of another program that look like the graph's own: {count} "
        "of the label {label} have the properties collection and id."
    )
    mend = "They would be read as ours, so --adopt does not take them. Give another server or database."
    exit_code = 2
    http_status = 409


class SchemaRefused(StoreError):
    code = "CT-S026"
    summary = "The database {database} at {address} does not take the constraint or index {name}."
    mend = (
        "Something of another program is in the way: an index on the same properties, or nodes that share them. SHOW "
        "INDEXES lists the first. Remove it, or give another server or database."
    )
    exit_code = 2
    http_status = 409


class CollectionUnknown(StoreError):
    code = "CT-S027"
    summary = "There is no collection {collection} at {address}."
    mend = "List those that there are with: causetrail collections."
    exit_code = 4
    http_status = 404


class ServerMemory(StoreError):
    code = "CT-S028"
    summary = "The Neo4j server at {address} has not the memory that one transaction needs."
    mend = (
        "Raise dbms.memory.transaction.total.max or db.memory.transaction.max at the server, or its heap "
        "(server.memory.heap.max_size); or split the document."
    )


class QuestionError(CausetrailError):
    """The question cannot be asked as it stands."""

    exit_code = 2
    http_status = 422


class QuestionEmpty(QuestionError):
    code = "CT-Q001"
    summary = "The question is empty."
    mend = 'Ask something, for example: causetrail ask "Why did the pump fail?"'


class QuestionTooLong(QuestionError):
    code = "CT-Q002"
    summary = "The question has {length} characters; the limit is {limit}."
    mend = "Ask in a sentence or two; put long material into a document and ingest it."


class QuestionCharacters(QuestionError):
    code = "CT-Q003"
    summary = "The question holds a character that no text may hold: {reason}."
    mend = "Remove it and ask again."


class TraceUnusable(QuestionError):
    code = "CT-Q012"
    summary = "The answer cannot be asked for again: {reason}."
    mend = "Give what causetrail ask --json or choose --json printed, one record a line, or records of causetrail eval."


class CypherError(CausetrailError):
    """A Cypher query cannot be run as it stands."""

    exit_code = 2
    http_status = 422


class CypherInvalid(CypherError):
    code = "CT-Q005"
    summary = "The query is not valid Cypher: {reason}."
    mend = "Correct it; docs/cypher.md shows queries, and the labels, relationships and properties of the graph."


class CypherRefused(CypherError):
    code = "CT-Q006"
    summary = "The query was refused: {reason}."
    mend = "Queries only read the graph, one at a time. Change it by ingest, delete and decisions."
    http_status = 403


class CypherUnsupported(CypherError):
    code = "CT-Q007"
    summary = "The embedded view does not know {what}."
    mend = "{advice}"


class CypherTooMuch(CypherError):
    code = "CT-Q008"
    summary = "The query was stopped: {reason}."
    mend = "Ask for less: start at an event, bound the length of paths, or add LIMIT."
    exit_code = 7
    http_status = 504


class CypherParameters(CypherError):
    code = "CT-Q009"
    summary = "The parameters cannot be used: {reason}."
    mend = 'Give them as one JSON object, for example: --params \'{{"id": "e0123"}}\''


class CypherViewTooLarge(CypherError):
    code = "CT-Q010"
    summary = "The Cypher view of {path} would take about {needed} MB of memory; the limit is {limit} MB."
    mend = "Raise cypher_view_bytes in the settings, or move the graph to a server: causetrail copy FROM neo4j://HOST"
    http_status = 503


class CypherBusy(CypherError):
    code = "CT-Q011"
    summary = "The query was not begun: {running} queries that were stopped still run at the server."
    mend = (
        "Try again later. At the server, SHOW TRANSACTIONS tells which they are; what does not end by itself ends with "
        "a restart of the database."
    )
    exit_code = 7
    http_status = 503


class SettingsError(CausetrailError):
    """A setting has no meaning here."""

    exit_code = 2
    http_status = 500


class SettingUnknown(SettingsError):
    code = "CT-C001"
    summary = "Unknown setting {name}{where}."
    mend = "Known settings: {known}."


class SettingInvalid(SettingsError):
    code = "CT-C002"
    summary = "The setting {name} cannot be {value}: {reason}."
    mend = "Correct it where it was given: as an option, in the environment, or in causetrail.toml."


class ArgumentInvalid(SettingsError):
    code = "CT-C003"
    summary = "{argument} cannot be {value}: {reason}."
    mend = "See: causetrail --help."
    http_status = 422


class ModelError(CausetrailError):
    """A learned part could not be used."""

    exit_code = 6
    http_status = 500


class ModelMissing(ModelError):
    code = "CT-M001"
    summary = "The model {model} cannot be loaded: {reason}."
    mend = "{advice}"


class ModelDamaged(ModelError):
    code = "CT-M002"
    summary = "The packaged weights {file} do not have the recorded sha256."
    mend = "Install Causetrail again."


class PassageTooLong(ModelError):
    code = "CT-M003"
    summary = "A passage has {tokens} tokens; the encoder {model} reads at most {limit}."
    mend = "Cut the passage; nothing is shortened silently."


class ExtraMissing(ModelError):
    code = "CT-M004"
    summary = "{feature} needs the extra {extra}, which is not installed."
    mend = "Install it with: pip install 'causetrail[{extra}]'"


class EncoderMismatch(ModelError):
    code = "CT-M005"
    summary = "The collection {collection} was ingested with another encoder than {model}."
    mend = "Set CAUSETRAIL_ENCODER to the one it was ingested with, or ingest its documents again."
    exit_code = 2
    http_status = 409


class LanguageModelError(ModelError):
    """A language model could not be asked, or what it said cannot be used."""

    asked: bool = True
    """Whether it was asked, or may have been: what was not asked costs nothing."""


class PromptTooLong(LanguageModelError):
    code = "CT-M006"
    summary = "A prompt has {tokens} tokens and {reserved} are kept for its answer; {model} reads at most {limit}."
    mend = (
        "Give less text at once, lower llm_max_tokens, or let it read more: raise llm_context_tokens as far as the "
        "model can, or take another one. Nothing is cut silently."
    )
    http_status = 422


class OutputInvalid(LanguageModelError):
    code = "CT-M007"
    summary = "{model} gave no valid {kind}, also when it was shown what is wrong: {reason}."
    mend = "Take a larger model, or a server that keeps to a JSON schema."
    http_status = 502


class OutputCut(LanguageModelError):
    code = "CT-M008"
    summary = "{model} did not come to the end of its {kind} within {limit} tokens."
    mend = "Raise llm_max_tokens in the settings, or give less text at once."
    http_status = 502


class ModelRefused(LanguageModelError):
    code = "CT-M009"
    summary = "{model} refused to answer."
    mend = "Its own rules forbid it: take another model, or leave the document out."
    http_status = 502


class ModelServerLost(LanguageModelError):
    code = "CT-M010"
    summary = "The language model's server at {address} does not answer: {reason}."
    mend = "Start it, or correct llm_base_url in the settings."
    http_status = 503


class ModelServerFailed(LanguageModelError):
    code = "CT-M011"
    summary = "The language model's server at {address} failed with status {status} in all of {attempts} attempts."
    mend = "Its log tells why. Try again later; what was answered before is kept in llm_cache."
    http_status = 502


class ModelAnswerBroken(LanguageModelError):
    code = "CT-M012"
    summary = "What {address} sent is no answer of a language model: {reason}."
    mend = "Check that llm_base_url is that of an OpenAI-compatible server, for example http://127.0.0.1:11434/v1."
    http_status = 502


class ModelServerBusy(LanguageModelError):
    code = "CT-M013"
    summary = "The language model's server at {address} takes no more requests now{wait}."
    mend = "Try again later, or lower llm_concurrency in the settings."
    http_status = 503


class ModelKeyRefused(LanguageModelError):
    code = "CT-M014"
    summary = "The language model's server at {address} does not let this program in: status {status}."
    mend = "Set CAUSETRAIL_LLM_KEY to a key that may use the model {model}."
    http_status = 502


class ModelRequestRefused(LanguageModelError):
    code = "CT-M015"
    summary = "The language model's server at {address} refused a request for {model}: {reason}."
    mend = "Check the model's name and llm_base_url; the server's log tells more."
    http_status = 502


class ModelSlow(LanguageModelError):
    code = "CT-M016"
    summary = "{model} had not answered after {seconds} seconds."
    mend = "Raise llm_seconds in the settings, lower llm_max_tokens, or take a smaller model."
    exit_code = 7
    http_status = 504


class ModelCancelled(LanguageModelError):
    code = "CT-M017"
    summary = "The call of {model} was given up before its end."
    mend = "Nothing needs mending: whoever asked did not want the answer any more."
    exit_code = 7
    http_status = 503


class BudgetSpent(LanguageModelError):
    code = "CT-M018"
    summary = (
        "The budget for language models would be exceeded: {spent} of {budget} {unit} are spent, {needed} more may be."
    )
    mend = "Raise {setting}; what was answered before is kept in llm_cache and costs nothing again."
    exit_code = 7
    http_status = 503


class ModelFailed(LanguageModelError):
    code = "CT-M019"
    summary = "{model} gave up in the middle of its work: {reason}."
    mend = "{advice}"


class ModelNotChosen(ModelError):
    code = "CT-M020"
    summary = "{feature} needs a language model, and none is chosen."
    mend = "Set CAUSETRAIL_LLM, for example to smollm2, gguf:PATH or openai:MODEL; docs/settings.md tells all."
    exit_code = 2
    http_status = 409


class DoorError(CausetrailError):
    """A door was used in a way it refuses."""

    exit_code = 2
    http_status = 400


class AddressRefused(DoorError):
    code = "CT-A001"
    summary = "The server does not listen on {host} without a key."
    mend = "Set CAUSETRAIL_API_KEY, or listen on 127.0.0.1."


class KeyRefused(DoorError):
    code = "CT-A002"
    summary = "The request carries no valid key."
    mend = "Send the key in the header X-API-Key."
    http_status = 401


class RequestInvalid(DoorError):
    code = "CT-A003"
    summary = "The request is not valid: {reason}."
    mend = "See /openapi.json for what each address takes."
    http_status = 422


class RequestTooLarge(DoorError):
    code = "CT-A004"
    summary = "The request has more than {limit} bytes."
    mend = "Send less at once, or raise max_request_bytes in the settings."
    http_status = 413


class HostRefused(DoorError):
    code = "CT-A005"
    summary = "The request was sent for {host}, which is not the name of this server."
    mend = "Ask 127.0.0.1 or localhost, or set CAUSETRAIL_API_KEY and send the key."
    http_status = 403


class RouteUnknown(DoorError):
    code = "CT-A006"
    summary = "There is nothing at {path}."
    mend = "See /openapi.json for all addresses."
    http_status = 404


class MethodRefused(DoorError):
    code = "CT-A007"
    summary = "{path} does not take {method}."
    mend = "See /openapi.json for what each address takes."
    http_status = 405


class PortTaken(DoorError):
    code = "CT-A008"
    summary = "The server cannot listen on {host}:{port}."
    mend = "Another program may be using it: give another one with --port."
    http_status = 500


class OutputFailed(DoorError):
    code = "CT-A009"
    summary = "The output could not be written: {reason}."
    mend = "Free some space or write it elsewhere, then run the same command again."
    http_status = 500


class MediaTypeRefused(DoorError):
    code = "CT-A010"
    summary = "{path} takes application/json; the request was sent as {media_type}."
    mend = "Send it with the header Content-Type: application/json."
    http_status = 415


class DeadlinePassed(CausetrailError):
    code = "CT-Q004"
    summary = "The work was not done within {seconds} seconds."
    mend = "Raise deadline_seconds in the settings, or lower hops."
    exit_code = 7
    http_status = 504


class EvaluationError(CausetrailError):
    """A strategy cannot be measured as it was asked."""

    exit_code = 2
    http_status = 422


class QuestionsUnreadable(EvaluationError):
    code = "CT-E001"
    summary = "The questions in {path} cannot be read: {reason}."
    mend = "Give a file of JSON lines in UTF-8, one question a line; docs/evaluating.md shows them."


class QuestionsInvalid(EvaluationError):
    code = "CT-E002"
    summary = "Line {line} of {path} is not a question: {reason}."
    mend = "Correct the line; docs/evaluating.md shows what a question looks like."


class EvaluationChanged(EvaluationError):
    code = "CT-E003"
    summary = "The records in {path} were made otherwise: {what} changed since then."
    mend = "Give another folder with --output, or remove this one to begin again."


class RecordsDamaged(EvaluationError):
    code = "CT-E004"
    summary = "Line {line} of {path} is not a record of a question."
    mend = "Remove the file: its questions are then asked again."


class EvaluationUnwritable(EvaluationError):
    code = "CT-E005"
    summary = "The records cannot be kept in {path}: {reason}."
    mend = "Give a folder that can be written with --output; what was answered so far is kept."
    http_status = 500


class EvaluationRunning(EvaluationError):
    code = "CT-E006"
    summary = "Another run is writing into {path}."
    mend = "Wait for it to end, or give another folder with --output."
    http_status = 409


class StageUnknown(EvaluationError):
    code = "CT-E007"
    summary = "The strategy {strategy} has no stage {stage} that could be left out."
    mend = "Name one of those that it has: {stages}."


def error_table() -> list[type[CausetrailError]]:
    """All errors that have a code of their own, sorted by code; the reference page is made from it."""
    found: dict[str, type[CausetrailError]] = {}
    waiting: list[type[CausetrailError]] = [CausetrailError]
    while waiting:
        kind = waiting.pop()
        waiting.extend(kind.__subclasses__())
        if "code" in vars(kind):
            found[kind.code] = kind
    return [found[code] for code in sorted(found)]
