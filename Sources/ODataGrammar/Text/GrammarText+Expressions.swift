// The rules of the OData ABNF 4.01, sections 4 to 6: expressions, JSON in URLs, names.
// Copyright (c) OASIS Open. The notice stands in `GrammarText.swift`.

extension GrammarText {
    /// Section 4, without the calls of functions.
    static let expressions = #"""
        commonExpr = ( primitiveLiteral / arrayOrObject / rootExpr / functionExpr / negateExpr / methodCallExpr
            / parenExpr / castExpr / isofExpr / notExpr / firstMemberExpr )
          [ addExpr / subExpr / mulExpr / divExpr / divbyExpr / modExpr ]
          [ eqExpr / neExpr / ltExpr / leExpr / gtExpr / geExpr / hasExpr / inExpr ]
          [ andExpr / orExpr ]
        boolCommonExpr = commonExpr
        rootExpr = %s"$root/" ( entitySetName [ collectionNavigationExpr ]
          / singletonEntity [ singleNavigationExpr ]
          / entityColFunctionImport functionExprParameters [ collectionNavigationExpr ]
          / entityFunctionImport functionExprParameters [ singleNavigationExpr ]
          / complexColFunctionImport functionExprParameters [ complexColPathExpr ]
          / complexFunctionImport functionExprParameters [ complexPathExpr ]
          / primitiveColFunctionImport functionExprParameters [ collectionPathExpr ]
          / primitiveFunctionImport functionExprParameters [ primitivePathExpr ] )
        firstMemberExpr = memberExpr / inscopeVariableExpr [ "/" memberExpr ]
        memberExpr = directMemberExpr
          / ( optionallyQualifiedEntityTypeName / optionallyQualifiedComplexTypeName ) "/" directMemberExpr
        directMemberExpr = propertyPathExpr / boundFunctionExpr / annotationExpr
        propertyPathExpr = ( entityColNavigationProperty [ collectionNavigationExpr ]
          / entityNavigationProperty [ singleNavigationExpr ]
          / complexColProperty [ complexColPathExpr ]
          / complexProperty [ complexPathExpr ]
          / primitiveColProperty [ collectionPathExpr ]
          / primitiveProperty [ primitivePathExpr ]
          / streamProperty [ primitivePathExpr ] )
        annotationExpr = annotationInQuery
          [ collectionPathExpr / singleNavigationExpr / complexPathExpr / primitivePathExpr ]
        annotationInQuery = AT [ namespace "." ] termName [ HASH annotationQualifier ]
        annotationInFragment = AT [ namespace "." ] termName [ "#" annotationQualifier ]
        annotationQualifier = odataIdentifier
        inscopeVariableExpr = implicitVariableExpr / parameterAlias / lambdaVariableExpr
        implicitVariableExpr = %s"$it" / %s"$this"
        lambdaVariableExpr = odataIdentifier
        collectionNavigationExpr = collectionNavNoCastExpr
          / "/" optionallyQualifiedEntityTypeName collectionNavNoCastExpr
        collectionNavNoCastExpr = keyPredicate [ singleNavigationExpr ]
          / filterExpr [ collectionNavigationExpr ]
          / collectionPathExpr
        singleNavigationExpr = "/" memberExpr
        filterExpr = %s"/$filter" OPEN boolCommonExpr CLOSE
        complexColPathExpr = collectionPathExpr / "/" optionallyQualifiedComplexTypeName [ collectionPathExpr ]
        collectionPathExpr = count [ OPEN expandCountOption *( SEMI expandCountOption ) CLOSE ]
          / filterExpr [ collectionPathExpr ]
          / "/" anyExpr / "/" allExpr / "/" boundFunctionExpr / "/" annotationExpr
        complexPathExpr = "/" directMemberExpr / "/" optionallyQualifiedComplexTypeName [ "/" directMemberExpr ]
        primitivePathExpr = "/" [ annotationExpr / boundFunctionExpr ]
        boundFunctionExpr = functionExpr
        functionExpr = [ namespace "." ] ( entityColFunction functionExprParameters [ collectionNavigationExpr ]
          / entityFunction functionExprParameters [ singleNavigationExpr ]
          / complexColFunction functionExprParameters [ complexColPathExpr ]
          / complexFunction functionExprParameters [ complexPathExpr ]
          / primitiveColFunction functionExprParameters [ collectionPathExpr ]
          / primitiveFunction functionExprParameters [ primitivePathExpr ] )
        functionExprParameters = OPEN [ BWS functionExprParameter *( BWS COMMA BWS functionExprParameter ) ] BWS CLOSE
        functionExprParameter = parameterName EQ ( parameterAlias / parameterValue )
        anyExpr = "any" OPEN BWS [ lambdaVariableExpr BWS COLON BWS lambdaPredicateExpr ] BWS CLOSE
        allExpr = "all" OPEN BWS lambdaVariableExpr BWS COLON BWS lambdaPredicateExpr BWS CLOSE
        lambdaPredicateExpr = boolCommonExpr
        parenExpr = OPEN BWS commonExpr BWS CLOSE
        listExpr = OPEN BWS [ primitiveLiteral BWS *( COMMA BWS primitiveLiteral BWS ) ] CLOSE
        andExpr = RWS "and" RWS boolCommonExpr
        orExpr = RWS "or" RWS boolCommonExpr
        eqExpr = RWS "eq" RWS commonExpr
        neExpr = RWS "ne" RWS commonExpr
        ltExpr = RWS "lt" RWS commonExpr
        leExpr = RWS "le" RWS commonExpr
        gtExpr = RWS "gt" RWS commonExpr
        geExpr = RWS "ge" RWS commonExpr
        inExpr = RWS "in" RWS ( listExpr / commonExpr )
        hasExpr = RWS "has" RWS enumLiteral
        addExpr = RWS "add" RWS commonExpr
        subExpr = RWS "sub" RWS commonExpr
        mulExpr = RWS "mul" RWS commonExpr
        divExpr = RWS "div" RWS commonExpr
        divbyExpr = RWS "divby" RWS commonExpr
        modExpr = RWS "mod" RWS commonExpr
        negateExpr = "-" BWS commonExpr
        notExpr = "not" RWS boolCommonExpr
        isofExpr = "isof" OPEN BWS [ commonExpr BWS COMMA BWS ] optionallyQualifiedTypeName BWS CLOSE
        castExpr = "cast" OPEN BWS [ commonExpr BWS COMMA BWS ] optionallyQualifiedTypeName BWS CLOSE
        """#

    /// Section 4, the calls of functions.
    static let calls = #"""
        methodCallExpr = indexOfMethodCallExpr / toLowerMethodCallExpr / toUpperMethodCallExpr / trimMethodCallExpr
          / substringMethodCallExpr / concatMethodCallExpr / lengthMethodCallExpr / matchesPatternMethodCallExpr
          / yearMethodCallExpr / monthMethodCallExpr / dayMethodCallExpr / hourMethodCallExpr / minuteMethodCallExpr
          / secondMethodCallExpr / fractionalsecondsMethodCallExpr / totalsecondsMethodCallExpr / dateMethodCallExpr
          / timeMethodCallExpr / roundMethodCallExpr / floorMethodCallExpr / ceilingMethodCallExpr
          / distanceMethodCallExpr / geoLengthMethodCallExpr / totalOffsetMinutesMethodCallExpr
          / minDateTimeMethodCallExpr / maxDateTimeMethodCallExpr / nowMethodCallExpr / caseMethodCallExpr
          / boolMethodCallExpr
        boolMethodCallExpr = endsWithMethodCallExpr / startsWithMethodCallExpr / containsMethodCallExpr
          / intersectsMethodCallExpr / hasSubsetMethodCallExpr / hasSubsequenceMethodCallExpr
        concatMethodCallExpr = "concat" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        containsMethodCallExpr = "contains" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        endsWithMethodCallExpr = "endswith" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        indexOfMethodCallExpr = "indexof" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        lengthMethodCallExpr = "length" OPEN BWS commonExpr BWS CLOSE
        matchesPatternMethodCallExpr = "matchesPattern" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        startsWithMethodCallExpr = "startswith" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        substringMethodCallExpr = "substring" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS
          [ COMMA BWS commonExpr BWS ] CLOSE
        toLowerMethodCallExpr = "tolower" OPEN BWS commonExpr BWS CLOSE
        toUpperMethodCallExpr = "toupper" OPEN BWS commonExpr BWS CLOSE
        trimMethodCallExpr = "trim" OPEN BWS commonExpr BWS CLOSE
        yearMethodCallExpr = "year" OPEN BWS commonExpr BWS CLOSE
        monthMethodCallExpr = "month" OPEN BWS commonExpr BWS CLOSE
        dayMethodCallExpr = "day" OPEN BWS commonExpr BWS CLOSE
        hourMethodCallExpr = "hour" OPEN BWS commonExpr BWS CLOSE
        minuteMethodCallExpr = "minute" OPEN BWS commonExpr BWS CLOSE
        secondMethodCallExpr = "second" OPEN BWS commonExpr BWS CLOSE
        fractionalsecondsMethodCallExpr = "fractionalseconds" OPEN BWS commonExpr BWS CLOSE
        totalsecondsMethodCallExpr = "totalseconds" OPEN BWS commonExpr BWS CLOSE
        dateMethodCallExpr = "date" OPEN BWS commonExpr BWS CLOSE
        timeMethodCallExpr = "time" OPEN BWS commonExpr BWS CLOSE
        totalOffsetMinutesMethodCallExpr = "totaloffsetminutes" OPEN BWS commonExpr BWS CLOSE
        minDateTimeMethodCallExpr = "mindatetime" OPEN BWS CLOSE
        maxDateTimeMethodCallExpr = "maxdatetime" OPEN BWS CLOSE
        nowMethodCallExpr = "now" OPEN BWS CLOSE
        roundMethodCallExpr = "round" OPEN BWS commonExpr BWS CLOSE
        floorMethodCallExpr = "floor" OPEN BWS commonExpr BWS CLOSE
        ceilingMethodCallExpr = "ceiling" OPEN BWS commonExpr BWS CLOSE
        distanceMethodCallExpr = "geo.distance" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        geoLengthMethodCallExpr = "geo.length" OPEN BWS commonExpr BWS CLOSE
        intersectsMethodCallExpr = "geo.intersects" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        hasSubsetMethodCallExpr = "hassubset" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        hasSubsequenceMethodCallExpr = "hassubsequence" OPEN BWS commonExpr BWS COMMA BWS commonExpr BWS CLOSE
        caseMethodCallExpr = "case" OPEN BWS boolCommonExpr BWS COLON BWS commonExpr BWS
          *( COMMA BWS boolCommonExpr BWS COLON BWS commonExpr BWS ) CLOSE
        """#

    /// Section 5.
    static let json = #"""
        arrayOrObject = array / object
        array = begin-array [ valueInUrl *( value-separator valueInUrl ) ] end-array
        object = begin-object [ member *( value-separator member ) ] end-object
        member = stringInUrl name-separator valueInUrl
        valueInUrl = stringInUrl / commonExpr
        begin-object = BWS ( "{" / "%7B" ) BWS
        end-object = BWS ( "}" / "%7D" )
        begin-array = BWS ( "[" / "%5B" ) BWS
        end-array = BWS ( "]" / "%5D" )
        quotation-mark = DQUOTE / "%22"
        name-separator = BWS COLON BWS
        value-separator = BWS COMMA BWS
        stringInUrl = quotation-mark *charInJSON quotation-mark
        charInJSON = qchar-unescaped / qchar-JSON-special
          / escape ( quotation-mark / escape / ( "/" / "%2F" ) / %s"b" / %s"f" / %s"n" / %s"r" / %s"t"
            / %s"u" 4HEXDIG )
        qchar-JSON-special = SP / ":" / "{" / "}" / "[" / "]"
        escape = "\" / "%5C"
        """#

    /// Section 6.
    static let names = #"""
        qualifiedTypeName = singleQualifiedTypeName / %s"Collection" OPEN singleQualifiedTypeName CLOSE
        optionallyQualifiedTypeName = singleQualifiedTypeName / %s"Collection" OPEN singleQualifiedTypeName CLOSE
          / singleTypeName / %s"Collection" OPEN singleTypeName CLOSE
        singleQualifiedTypeName = qualifiedEntityTypeName / qualifiedComplexTypeName / qualifiedTypeDefinitionName
          / qualifiedEnumTypeName / primitiveTypeName
        singleTypeName = entityTypeName / complexTypeName / typeDefinitionName / enumerationTypeName
        qualifiedEntityTypeName = namespace "." entityTypeName
        qualifiedComplexTypeName = namespace "." complexTypeName
        qualifiedTypeDefinitionName = namespace "." typeDefinitionName
        qualifiedEnumTypeName = namespace "." enumerationTypeName
        optionallyQualifiedEntityTypeName = [ namespace "." ] entityTypeName
        optionallyQualifiedComplexTypeName = [ namespace "." ] complexTypeName
        namespace = namespacePart *( "." namespacePart )
        namespacePart = odataIdentifier
        entitySetName = odataIdentifier
        singletonEntity = odataIdentifier
        entityTypeName = odataIdentifier
        complexTypeName = odataIdentifier
        typeDefinitionName = odataIdentifier
        enumerationTypeName = odataIdentifier
        enumerationMember = odataIdentifier
        termName = odataIdentifier
        odataIdentifier = identifierLeadingCharacter *127identifierCharacter
        identifierLeadingCharacter = ALPHA / "_"
        identifierCharacter = ALPHA / "_" / DIGIT
        primitiveTypeName = %s"Edm." ( %s"Binary" / %s"Boolean" / %s"Byte" / %s"Date" / %s"DateTimeOffset"
          / %s"Decimal" / %s"Double" / %s"Duration" / %s"Guid" / %s"Int16" / %s"Int32" / %s"Int64" / %s"SByte"
          / %s"Single" / %s"Stream" / %s"String" / %s"TimeOfDay"
          / abstractSpatialTypeName [ concreteSpatialTypeName ] )
        abstractSpatialTypeName = %s"Geography" / %s"Geometry"
        concreteSpatialTypeName = %s"Collection" / %s"LineString" / %s"MultiLineString" / %s"MultiPoint"
          / %s"MultiPolygon" / %s"Point" / %s"Polygon"
        primitiveProperty = primitiveKeyProperty / primitiveNonKeyProperty
        primitiveKeyProperty = odataIdentifier
        primitiveNonKeyProperty = odataIdentifier
        primitiveColProperty = odataIdentifier
        complexProperty = odataIdentifier
        complexColProperty = odataIdentifier
        streamProperty = odataIdentifier
        navigationProperty = entityNavigationProperty / entityColNavigationProperty
        entityNavigationProperty = odataIdentifier
        entityColNavigationProperty = odataIdentifier
        action = odataIdentifier
        actionImport = odataIdentifier
        function = entityFunction / entityColFunction / complexFunction / complexColFunction / primitiveFunction
          / primitiveColFunction
        entityFunction = odataIdentifier
        entityColFunction = odataIdentifier
        complexFunction = odataIdentifier
        complexColFunction = odataIdentifier
        primitiveFunction = odataIdentifier
        primitiveColFunction = odataIdentifier
        entityFunctionImport = odataIdentifier
        entityColFunctionImport = odataIdentifier
        complexFunctionImport = odataIdentifier
        complexColFunctionImport = odataIdentifier
        primitiveFunctionImport = odataIdentifier
        primitiveColFunctionImport = odataIdentifier
        """#
}
