/// The functions that statements for PostgreSQL call: what OData asks of numbers, dates and texts where the database's
/// own operators do otherwise. Every function gives null for null.
package enum PostgreSQLFunctions {
    /// The statements that define them; each can be run again.
    package static let definitions: [String] = numbers + doubles + dates + durations + texts

    private static func function(
        _ signature: String, _ result: String, _ body: String
    ) -> String {
        "CREATE OR REPLACE FUNCTION \(signature) RETURNS \(result) IMMUTABLE STRICT PARALLEL SAFE "
            + "LANGUAGE plpgsql AS $odata$\n\(body)\n$odata$"
    }

    private static func expression(
        _ signature: String, _ result: String, _ body: String
    ) -> String {
        "CREATE OR REPLACE FUNCTION \(signature) RETURNS \(result) IMMUTABLE STRICT PARALLEL SAFE "
            + "LANGUAGE sql AS $odata$ SELECT \(body) $odata$"
    }

    // MARK: Numbers

    private static let numbers = [
        // A quotient rounded half up to so many places, or to those of an operand that has more.
        function(
            "_odata_divided(a numeric, b numeric, places integer)", "numeric",
            """
            DECLARE
                p integer := greatest(places, scale(a), scale(b));
                n numeric := a * ('1e' || p)::numeric;
                q numeric;
            BEGIN
                IF b = 0 THEN RETURN NULL; END IF;
                q := div(n, b);
                IF 2 * abs(n - q * b) >= abs(b) THEN q := q + sign(a) * sign(b); END IF;
                RETURN trim_scale(q * ('1e-' || p)::numeric);
            END
            """),
        // The quotient of integers, cut; beyond 64 bits it is a decimal's.
        function(
            "_odata_quotient(a numeric, b numeric)", "numeric",
            """
            BEGIN
                IF b = 0 THEN RETURN NULL; END IF;
                IF a = trunc(a) AND b = trunc(b)
                    AND a BETWEEN -9223372036854775808 AND 9223372036854775807
                    AND b BETWEEN -9223372036854775808 AND 9223372036854775807
                THEN RETURN div(a, b); END IF;
                RETURN _odata_divided(a, b, 20);
            END
            """),
        function(
            "_odata_cast(type text, value text)", "numeric",
            """
            DECLARE
                n numeric;
            BEGIN
                IF value IN ('NaN', 'Infinity', '-Infinity') THEN RETURN NULL; END IF;
                n := value::numeric;
                IF type = 'Decimal' THEN RETURN n; END IF;
                n := trunc(n);
                RETURN CASE WHEN \(range("n")) THEN n END;
            END
            """),
    ]

    private static func range(_ name: String) -> String {
        "CASE type WHEN 'Byte' THEN \(name) BETWEEN 0 AND 255"
            + " WHEN 'SByte' THEN \(name) BETWEEN -128 AND 127"
            + " WHEN 'Int16' THEN \(name) BETWEEN -32768 AND 32767"
            + " WHEN 'Int32' THEN \(name) BETWEEN -2147483648 AND 2147483647"
            + " ELSE \(name) BETWEEN -9223372036854775808 AND 9223372036854775807 END"
    }

    // MARK: Doubles

    private static let doubles = [
        // A decimal beyond the doubles is an infinity, one too near to zero is zero.
        function(
            "_odata_double(a numeric)", "double precision",
            """
            BEGIN
                IF abs(a) < 1e308 AND (a = 0 OR abs(a) > 1e-300) THEN RETURN a; END IF;
                BEGIN
                    RETURN a::double precision;
                EXCEPTION WHEN numeric_value_out_of_range THEN
                    RETURN CASE WHEN abs(a) < 1 THEN 0.0
                        WHEN a < 0 THEN '-Infinity' ELSE 'Infinity' END;
                END;
            END
            """),
        expression(
            "_odata_compare(a double precision, b double precision)", "integer",
            """
            CASE WHEN a = 'NaN' OR b = 'NaN' THEN 2 WHEN a < b THEN -1 WHEN a > b THEN 1 ELSE 0 END
            """),
        // IEEE arithmetic, where PostgreSQL raises an error; zero has no sign as a divisor.
        function(
            "_odata_real(operation text, a double precision, b double precision)",
            "double precision",
            """
            DECLARE
                x double precision := abs(a);
                y double precision := abs(b);
                t double precision;
            BEGIN
                IF operation IN ('div', 'divby') AND b = 0 THEN
                    RETURN CASE WHEN a = 0 OR a = 'NaN' THEN 'NaN'
                        WHEN a < 0 THEN '-Infinity' ELSE 'Infinity' END;
                END IF;
                IF operation = 'mod' THEN
                    IF b = 0 THEN RETURN NULL; END IF;
                    IF a = 'NaN' OR b = 'NaN' OR x = 'Infinity' THEN RETURN 'NaN'; END IF;
                    IF y = 'Infinity' THEN RETURN a; END IF;
                    t := y;
                    WHILE t <= x / 2 LOOP t := t * 2; END LOOP;
                    WHILE t >= y LOOP
                        IF x >= t THEN x := x - t; END IF;
                        EXIT WHEN t = y;
                        t := t / 2;
                    END LOOP;
                    RETURN CASE WHEN a < 0 THEN -x ELSE x END;
                END IF;
                BEGIN
                    RETURN CASE operation WHEN 'add' THEN a + b WHEN 'sub' THEN a - b
                        WHEN 'mul' THEN a * b ELSE a / b END;
                EXCEPTION WHEN numeric_value_out_of_range THEN
                    IF operation = 'add' OR operation = 'sub' THEN
                        RETURN CASE WHEN a < 0 THEN '-Infinity' ELSE 'Infinity' END;
                    END IF;
                    t := CASE WHEN operation = 'mul' THEN log(x) + log(y) ELSE log(x) - log(y) END;
                    RETURN CASE WHEN t < 0 THEN 0 WHEN (a < 0) = (b < 0) THEN 'Infinity'
                        ELSE '-Infinity'::double precision END;
                END;
            END
            """),
        function(
            "_odata_round(a double precision)", "double precision",
            """
            DECLARE
                t double precision := trunc(a);
            BEGIN
                RETURN CASE WHEN abs(a) < 'Infinity' AND abs(a - t) >= 0.5
                    THEN t + sign(a) ELSE t END;
            END
            """),
        // Null for a number that a Single has no room for.
        function(
            "_odata_single(a double precision)", "double precision",
            """
            BEGIN
                RETURN a::real::double precision;
            EXCEPTION WHEN numeric_value_out_of_range THEN
                RETURN CASE WHEN abs(a) < 1 THEN 0 END;
            END
            """),
        expression(
            "_odata_added(a double precision, b double precision)", "double precision",
            """
            CASE WHEN abs(a) < 1e307 AND abs(b) < 1e307 THEN a + b
            ELSE _odata_real('add', a, b) END
            """),
        "CREATE OR REPLACE AGGREGATE _odata_sum(double precision)"
            + " (SFUNC = _odata_added, STYPE = double precision, PARALLEL = SAFE)",
        // The shortest digits that read back as the same number.
        function(
            "_odata_real_text(a double precision)", "text",
            """
            DECLARE
                p text[];
                digits text;
                point integer;
                sign text;
            BEGIN
                IF a = 'NaN' THEN RETURN 'NaN'; END IF;
                IF abs(a) = 'Infinity' THEN
                    RETURN CASE WHEN a < 0 THEN '-INF' ELSE 'INF' END;
                END IF;
                p := regexp_match(a::text, '^(-?)([0-9]+)\\.?([0-9]*)(?:e([-+][0-9]+))?$');
                sign := p[1];
                digits := ltrim(p[2] || p[3], '0');
                IF digits = '' THEN RETURN sign || '0.0'; END IF;
                -- The value is 0.digits · 10^point.
                point := length(p[2]) + coalesce(p[4]::integer, 0)
                    - (length(p[2] || p[3]) - length(digits));
                digits := rtrim(digits, '0');
                IF point < -3 OR abs(a) > 9007199254740992 THEN
                    point := point - 1;
                    RETURN sign || substr(digits, 1, 1)
                        || CASE WHEN length(digits) > 1 THEN '.' || substr(digits, 2) ELSE '' END
                        || 'e' || CASE WHEN point < 0 THEN '-' ELSE '' END
                        || lpad(abs(point)::text, greatest(2, length(abs(point)::text)), '0');
                END IF;
                IF point <= 0 THEN RETURN sign || '0.' || repeat('0', -point) || digits; END IF;
                IF point >= length(digits) THEN
                    RETURN sign || rpad(digits, point, '0') || '.0';
                END IF;
                RETURN sign || substr(digits, 1, point) || '.' || substr(digits, point + 1);
            END
            """),
    ]

    // MARK: Dates

    private static let dates = [
        // Days since 1970 of a date's text, whatever its year.
        function(
            "_odata_days(value text)", "bigint",
            """
            DECLARE
                p text[] := regexp_match(value, '^(-?[0-9]+)-([0-9]{2})-([0-9]{2})');
                m bigint := p[2]::bigint;
                y bigint := p[1]::bigint - CASE WHEN m <= 2 THEN 1 ELSE 0 END;
                era bigint := floor(y / 400.0);
                year_of_era bigint := y - era * 400;
                day_of_year bigint := (153 * (m + CASE WHEN m > 2 THEN -3 ELSE 9 END) + 2) / 5
                    + p[3]::bigint - 1;
            BEGIN
                RETURN era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100
                    + day_of_year - 719468;
            END
            """),
        // Seconds since 1970 of a date, or of a date and time.
        function(
            "_odata_epoch(value text)", "numeric",
            """
            DECLARE
                p text[] := regexp_match(
                    value, '^(.+-[0-9]{2}-[0-9]{2})(?:T([0-9]{2}):([0-9]{2})(?::([0-9.]+))?)?$');
            BEGIN
                RETURN 86400 * _odata_days(p[1])::numeric + 3600 * coalesce(p[2]::numeric, 0)
                    + 60 * coalesce(p[3]::numeric, 0) + coalesce(p[4]::numeric, 0);
            END
            """),
        // The fraction of a second with its point; empty for none.
        expression(
            "_odata_fraction(a numeric)", "text",
            "CASE WHEN a > 0 THEN substr(trim_scale(a)::text, 2) ELSE '' END"),
        // The date and time so many seconds after 1970.
        function(
            "_odata_civil(seconds numeric)", "text",
            """
            DECLARE
                whole bigint := floor(seconds);
                days bigint := floor(whole / 86400.0);
                clock bigint := whole - days * 86400;
                z bigint := days + 719468;
                era bigint := floor(z / 146097.0);
                doe bigint := z - era * 146097;
                yoe bigint := (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
                doy bigint := doe - (365 * yoe + yoe / 4 - yoe / 100);
                mp bigint := (5 * doy + 2) / 153;
                d bigint := doy - (153 * mp + 2) / 5 + 1;
                m bigint := CASE WHEN mp < 10 THEN mp + 3 ELSE mp - 9 END;
                y bigint := yoe + era * 400 + CASE WHEN m <= 2 THEN 1 ELSE 0 END;
            BEGIN
                RETURN CASE WHEN y < 0 THEN '-' ELSE '' END
                    || lpad(abs(y)::text, greatest(4, length(abs(y)::text)), '0')
                    || '-' || lpad(m::text, 2, '0') || '-' || lpad(d::text, 2, '0')
                    || 'T' || lpad((clock / 3600)::text, 2, '0')
                    || ':' || lpad((clock / 60 % 60)::text, 2, '0')
                    || ':' || lpad((clock % 60)::text, 2, '0')
                    || _odata_fraction(seconds - whole);
            END
            """),
        // The same between mindatetime and maxdatetime, null outside; a date keeps no time.
        expression(
            "_odata_moved(kind text, seconds numeric)", "text",
            """
            CASE WHEN seconds >= -62135596800 AND seconds < 253402300800 THEN
            CASE kind WHEN 'D' THEN substr(_odata_civil(seconds), 1, 10)
            ELSE _odata_civil(seconds) END END
            """),
        expression(
            "_odata_instant(value text, minutes bigint)", "text",
            """
            _odata_civil(_odata_epoch(value) + 60 * minutes) || CASE WHEN minutes = 0 THEN 'Z'
            ELSE CASE WHEN minutes < 0 THEN '-' ELSE '+' END
            || lpad((abs(minutes) / 60)::text, 2, '0') || ':'
            || lpad((abs(minutes) % 60)::text, 2, '0') END
            """),
    ]

    // MARK: Durations

    private static let durations = [
        // The seconds of a duration's text; null for a text that is none.
        function(
            "_odata_seconds(value text)", "numeric",
            """
            DECLARE
                p text[] := regexp_match(
                    value, '^([-+]?)P(?:([0-9]{1,18})D)?(T(?:([0-9]{1,18})H)?(?:([0-9]{1,18})M)?'
                    '(?:([0-9]{1,18}(?:[.][0-9]{1,12})?)S)?)?$');
                n numeric;
            BEGIN
                IF p IS NULL OR p[3] = 'T' OR p[2] IS NULL AND p[3] IS NULL THEN RETURN NULL; END IF;
                n := 86400 * coalesce(p[2]::numeric, 0) + 3600 * coalesce(p[4]::numeric, 0)
                    + 60 * coalesce(p[5]::numeric, 0) + coalesce(p[6]::numeric, 0);
                IF n > 4611686018427387904 THEN RETURN NULL; END IF;
                RETURN trim_scale(CASE WHEN p[1] = '-' THEN -n ELSE n END);
            END
            """),
        // Seconds as a duration has them: cut at the picosecond, null beyond its length.
        function(
            "_odata_period(seconds numeric)", "numeric",
            """
            BEGIN
                RETURN CASE WHEN abs(floor(seconds)) <= 4611686018427387904
                    THEN trim_scale(floor(seconds * 1e12) * 1e-12) END;
            END
            """),
        function(
            "_odata_duration(seconds numeric)", "text",
            """
            DECLARE
                n numeric := abs(seconds);
                whole bigint := floor(n);
                rest bigint := whole % 86400;
                result text := CASE WHEN seconds < 0 THEN '-P' ELSE 'P' END;
            BEGIN
                IF whole >= 86400 THEN result := result || (whole / 86400) || 'D'; END IF;
                IF rest = 0 AND n = whole AND whole >= 86400 THEN RETURN result; END IF;
                result := result || 'T';
                IF rest >= 3600 THEN result := result || (rest / 3600) || 'H'; END IF;
                IF rest / 60 % 60 > 0 THEN result := result || (rest / 60 % 60) || 'M'; END IF;
                IF rest % 60 > 0 OR n > whole OR whole = 0 THEN
                    result := result || (rest % 60) || _odata_fraction(n - whole) || 'S';
                END IF;
                RETURN result;
            END
            """),
    ]

    // MARK: Texts

    private static let texts = [
        // Sigma is mapped first: at the end of a word it would become another letter.
        expression(
            "_odata_lower(value text)", "text",
            "lower(replace(value, U&'\\03A3', U&'\\03C3') COLLATE \"und-x-icu\") COLLATE \"C\""),
        expression(
            "_odata_upper(value text)", "text",
            "upper(value COLLATE \"und-x-icu\") COLLATE \"C\""),
        // From a position counted from 0 or, below, from the end.
        expression(
            "_odata_substring(value text, first numeric)", "text",
            """
            substr(value, 1 + (CASE WHEN first < 0 THEN greatest(length(value) + first, 0)
            ELSE least(first, length(value)) END)::integer)
            """),
        expression(
            "_odata_substring(value text, first numeric, places numeric)", "text",
            """
            left(_odata_substring(value, first),
            least(greatest(places, 0), length(value))::integer)
            """),
        // A text read as a value of a primitive type, in its canonical form; null for one that is none.
        function(
            "_odata_parse(type text, value text)", "text",
            """
            DECLARE
                p text[];
                n numeric;
            BEGIN
                CASE type
                WHEN 'Byte', 'SByte', 'Int16', 'Int32', 'Int64' THEN
                    IF value !~ '^[-+]?[0-9]+$' OR length(value) > 1000 THEN RETURN NULL; END IF;
                    n := value::numeric;
                    RETURN CASE WHEN \(range("n")) THEN n::text END;
                WHEN 'Double', 'Single', 'Decimal' THEN
                    IF value IN ('NaN', 'INF', '-INF') THEN
                        RETURN CASE WHEN type <> 'Decimal' THEN value END;
                    END IF;
                    p := regexp_match(value, '^[-+]?[0-9]+(?:[.][0-9]+)?(?:[eE]([-+]?[0-9]+))?$');
                    IF p IS NULL THEN RETURN NULL; END IF;
                    BEGIN
                        RETURN CASE WHEN type = 'Decimal' THEN value::numeric::text
                            ELSE value::double precision::text END;
                    EXCEPTION WHEN numeric_value_out_of_range THEN
                        RETURN CASE WHEN type <> 'Decimal' AND p[1] LIKE '-%' THEN '0' END;
                    END;
                WHEN 'Boolean' THEN
                    RETURN CASE WHEN value IN ('true', 'false') THEN value END;
                WHEN 'Guid' THEN
                    RETURN CASE WHEN value ~*
                        '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
                        THEN lower(value) END;
                WHEN 'Duration' THEN
                    RETURN _odata_seconds(value)::text;
                WHEN 'TimeOfDay' THEN
                    p := regexp_match(value, '^((?:[01][0-9]|2[0-3]):[0-5][0-9])'
                        '(?::([0-5][0-9])([.][0-9]{1,12})?)?$');
                    RETURN p[1] || ':' || coalesce(p[2], '00')
                        || coalesce(rtrim(rtrim(p[3], '0'), '.'), '');
                WHEN 'Date' THEN
                    RETURN CASE WHEN value ~ '^-?(?:[0-9]{4}|[1-9][0-9]{4,5})-[0-9]{2}-[0-9]{2}$'
                        AND left(value, 5) <> '-0000'
                        AND value = substr(_odata_civil(_odata_epoch(value)), 1, length(value))
                        THEN value END;
                WHEN 'DateTimeOffset' THEN
                    p := regexp_match(value, '^(.+)T((?:[01][0-9]|2[0-3]):[0-5][0-9])'
                        '(?::([0-5][0-9](?:[.][0-9]{1,12})?))?(?:(Z)|([-+])([01][0-9]|2[0-3]):'
                        '([0-5][0-9]))$');
                    IF p IS NULL OR _odata_parse('Date', p[1]) IS NULL THEN RETURN NULL; END IF;
                    RETURN _odata_civil(
                        _odata_epoch(p[1] || 'T' || p[2] || ':' || coalesce(p[3], '00'))
                        - CASE WHEN p[4] = 'Z' THEN 0 ELSE
                        (p[5] || '1')::numeric * (p[6]::numeric * 3600 + p[7]::numeric * 60) END);
                ELSE
                    RETURN NULL;
                END CASE;
            END
            """),
    ]
}
