// The rules of the OData ABNF 4.01, sections 7 and 8: literal values, headers.
// Copyright (c) OASIS Open. The notice stands in `GrammarText.swift`.

extension GrammarText {
    /// Section 7.
    static let literals = #"""
        primitiveLiteral = null / boolean / guid / dateTimeOffsetLiteral / date / timeOfDayLiteral / decimalLiteral
          / doubleLiteral / singleLiteral / sbyteLiteral / byte / int16Literal / int32Literal / int64Literal
          / stringLiteral / durationLiteral / enumLiteral / binaryLiteral
          / geographyCollection / geographyLineString / geographyMultiLineString / geographyMultiPoint
          / geographyMultiPolygon / geographyPoint / geographyPolygon
          / geometryCollection / geometryLineString / geometryMultiLineString / geometryMultiPoint
          / geometryMultiPolygon / geometryPoint / geometryPolygon
        primitiveValue = boolean / guid / durationValue / dateTimeOffsetValue / date / timeOfDayValue / enumValue
          / fullCollectionLiteral / fullLineStringLiteral / fullMultiPointLiteral / fullMultiLineStringLiteral
          / fullMultiPolygonLiteral / fullPointLiteral / fullPolygonLiteral
          / decimalValue / doubleValue / singleValue / sbyteValue / byte / int16Value / int32Value / int64Value
          / binaryValue
        null = %s"null"
        binaryLiteral = "binary" SQUOTE binaryValue SQUOTE
        binaryValue = *(4base64char) [ base64b16 / base64b8 ]
        base64b16 = 2base64char ( %s"A" / %s"E" / %s"I" / %s"M" / %s"Q" / %s"U" / %s"Y" / %s"c" / %s"g" / %s"k"
          / %s"o" / %s"s" / %s"w" / %s"0" / %s"4" / %s"8" ) [ "=" ]
        base64b8 = base64char ( %s"A" / %s"Q" / %s"g" / %s"w" ) [ "==" ]
        base64char = ALPHA / DIGIT / "-" / "_"
        boolean = "true" / "false"
        decimalLiteral = [ SIGN ] 1*DIGIT [ "." 1*DIGIT ] [ "e" [ SIGN ] 1*DIGIT ] / nanInfinity
        decimalValue = [ "+" / "-" ] 1*DIGIT [ "." 1*DIGIT ] [ "e" [ "+" / "-" ] 1*DIGIT ] / nanInfinity
        doubleLiteral = decimalLiteral
        doubleValue = decimalValue
        singleLiteral = decimalLiteral
        singleValue = decimalValue
        nanInfinity = %s"NaN" / %s"-INF" / %s"INF"
        guid = 8HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 4HEXDIG "-" 12HEXDIG
        byte = 1*3DIGIT
        sbyteLiteral = [ SIGN ] 1*3DIGIT
        sbyteValue = [ "+" / "-" ] 1*3DIGIT
        int16Literal = [ SIGN ] 1*5DIGIT
        int16Value = [ "+" / "-" ] 1*5DIGIT
        int32Literal = [ SIGN ] 1*10DIGIT
        int32Value = [ "+" / "-" ] 1*10DIGIT
        int64Literal = [ SIGN ] 1*19DIGIT
        int64Value = [ "+" / "-" ] 1*19DIGIT
        stringLiteral = SQUOTE *( SQUOTE-in-string / pchar-no-SQUOTE ) SQUOTE
        SQUOTE-in-string = SQUOTE SQUOTE
        date = year "-" month "-" day
        dateTimeOffsetLiteral = date "T" timeOfDayLiteral ( "Z" / SIGN hour COLON minute )
        dateTimeOffsetValue = date "T" timeOfDayValue ( "Z" / ( "+" / "-" ) hour ":" minute )
        durationLiteral = [ "duration" ] SQUOTE durationValue SQUOTE
        durationValue = [ "-" ] "P" [ 1*DIGIT "D" ]
          [ "T" [ 1*DIGIT "H" ] [ 1*DIGIT "M" ] [ 1*DIGIT [ "." 1*DIGIT ] "S" ] ]
        timeOfDayLiteral = hour COLON minute [ COLON second [ "." fractionalSeconds ] ]
        timeOfDayValue = hour ":" minute [ ":" second [ "." fractionalSeconds ] ]
        oneToNine = "1" / "2" / "3" / "4" / "5" / "6" / "7" / "8" / "9"
        zeroToFiftyNine = ( "0" / "1" / "2" / "3" / "4" / "5" ) DIGIT
        year = [ "-" ] ( "0" 3DIGIT / oneToNine 3*DIGIT )
        month = "0" oneToNine / "1" ( "0" / "1" / "2" )
        day = "0" oneToNine / ( "1" / "2" ) DIGIT / "3" ( "0" / "1" )
        hour = ( "0" / "1" ) DIGIT / "2" ( "0" / "1" / "2" / "3" )
        minute = zeroToFiftyNine
        second = zeroToFiftyNine / "60"
        fractionalSeconds = 1*12DIGIT
        enumLiteral = [ qualifiedEnumTypeName ] SQUOTE singleEnumLiteral *( COMMA singleEnumLiteral ) SQUOTE
        singleEnumLiteral = enumerationMember / int64Literal
        enumValue = singleEnumValue *( "," singleEnumValue )
        singleEnumValue = enumerationMember / int64Value
        geographyCollection = geographyPrefix SQUOTE fullCollectionLiteral SQUOTE
        fullCollectionLiteral = sridLiteral collectionLiteral
        collectionLiteral = "GeometryCollection(" geoLiteral *( COMMA geoLiteral ) CLOSE
        geoLiteral = collectionLiteral / lineStringLiteral / multiPointLiteral / multiLineStringLiteral
          / multiPolygonLiteral / pointLiteral / polygonLiteral
        geographyLineString = geographyPrefix SQUOTE fullLineStringLiteral SQUOTE
        fullLineStringLiteral = sridLiteral lineStringLiteral
        lineStringLiteral = "LineString" lineStringData
        lineStringData = OPEN positionLiteral 1*( COMMA positionLiteral ) CLOSE
        geographyMultiLineString = geographyPrefix SQUOTE fullMultiLineStringLiteral SQUOTE
        fullMultiLineStringLiteral = sridLiteral multiLineStringLiteral
        multiLineStringLiteral = "MultiLineString(" [ lineStringData *( COMMA lineStringData ) ] CLOSE
        geographyMultiPoint = geographyPrefix SQUOTE fullMultiPointLiteral SQUOTE
        fullMultiPointLiteral = sridLiteral multiPointLiteral
        multiPointLiteral = "MultiPoint(" [ pointData *( COMMA pointData ) ] CLOSE
        geographyMultiPolygon = geographyPrefix SQUOTE fullMultiPolygonLiteral SQUOTE
        fullMultiPolygonLiteral = sridLiteral multiPolygonLiteral
        multiPolygonLiteral = "MultiPolygon(" [ polygonData *( COMMA polygonData ) ] CLOSE
        geographyPoint = geographyPrefix SQUOTE fullPointLiteral SQUOTE
        fullPointLiteral = sridLiteral pointLiteral
        sridLiteral = "SRID" EQ 1*5DIGIT SEMI
        pointLiteral = "Point" pointData
        pointData = OPEN positionLiteral CLOSE
        positionLiteral = doubleValue SP doubleValue [ SP doubleValue ] [ SP doubleValue ]
        geographyPolygon = geographyPrefix SQUOTE fullPolygonLiteral SQUOTE
        fullPolygonLiteral = sridLiteral polygonLiteral
        polygonLiteral = "Polygon" polygonData
        polygonData = OPEN ringLiteral *( COMMA ringLiteral ) CLOSE
        ringLiteral = OPEN positionLiteral *( COMMA positionLiteral ) CLOSE
        geometryCollection = geometryPrefix SQUOTE fullCollectionLiteral SQUOTE
        geometryLineString = geometryPrefix SQUOTE fullLineStringLiteral SQUOTE
        geometryMultiLineString = geometryPrefix SQUOTE fullMultiLineStringLiteral SQUOTE
        geometryMultiPoint = geometryPrefix SQUOTE fullMultiPointLiteral SQUOTE
        geometryMultiPolygon = geometryPrefix SQUOTE fullMultiPolygonLiteral SQUOTE
        geometryPoint = geometryPrefix SQUOTE fullPointLiteral SQUOTE
        geometryPolygon = geometryPrefix SQUOTE fullPolygonLiteral SQUOTE
        geographyPrefix = "geography"
        geometryPrefix = "geometry"
        """#

    /// Section 8.
    static let headers = #"""
        header = asyncresult / content-id / isolation / odata-entityid / odata-error / odata-maxversion
          / odata-version / prefer
        asyncresult = "AsyncResult" ":" OWS 3DIGIT
        content-id = "Content-ID" ":" OWS request-id
        isolation = [ "OData-" ] "Isolation" ":" OWS "snapshot"
        request-id = 1*unreserved
        odata-entityid = "OData-EntityID" ":" OWS IRI-in-header
        odata-error = "OData-Error" ":" OWS "{" DQUOTE %s"code" DQUOTE ":" *( VCHAR / SP )
        odata-maxversion = "OData-MaxVersion" ":" OWS 1*DIGIT "." 1*DIGIT
        odata-version = "OData-Version" ":" OWS "4.0" [ oneToNine ]
        prefer = "Prefer" ":" OWS preference *( OWS "," OWS preference )
        preference = allowEntityReferencesPreference / callbackPreference / continueOnErrorPreference
          / includeAnnotationsPreference / maxpagesizePreference / omitValuesPreference / respondAsyncPreference
          / returnPreference / trackChangesPreference / waitPreference
        allowEntityReferencesPreference = [ "odata." ] "allow-entityreferences"
        callbackPreference = [ "odata." ] "callback" OWS ";" OWS "url" EQ-h DQUOTE URI DQUOTE
        continueOnErrorPreference = [ "odata." ] "continue-on-error" [ EQ-h boolean ]
        includeAnnotationsPreference = [ "odata." ] "include-annotations" EQ-h DQUOTE annotationsList DQUOTE
        annotationsList = annotationIdentifier *( "," annotationIdentifier )
        annotationIdentifier = [ excludeOperator ] ( STAR / namespace "." ( termName / STAR ) ) [ "#" odataIdentifier ]
        excludeOperator = "-"
        maxpagesizePreference = [ "odata." ] "maxpagesize" EQ-h oneToNine *DIGIT
        omitValuesPreference = "omit-values" EQ-h ( "nulls" / "defaults" )
        respondAsyncPreference = "respond-async"
        returnPreference = "return" EQ-h ( %s"representation" / %s"minimal" )
        trackChangesPreference = [ "odata." ] "track-changes"
        waitPreference = "wait" EQ-h 1*DIGIT
        obs-text = %x80-FF
        OWS = *( SP / HTAB )
        BWS-h = *( SP / HTAB )
        EQ-h = BWS-h EQ BWS-h
        """#
}
